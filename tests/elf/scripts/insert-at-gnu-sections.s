# A script may INSERT at each output section of GNU ld's own script, whether or not inputs have such a
# section, for every kind of output; what stands there stands where it does in GNU ld's script.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# driver: ld
//# @places sh: for name in .bss .comment .data .data.rel.ro .data1 .debug .debug_abbrev .debug_addr .debug_aranges .debug_frame .debug_funcnames .debug_info .debug_line .debug_line_str .debug_loc .debug_loclists .debug_macinfo .debug_macro .debug_names .debug_pubnames .debug_pubtypes .debug_ranges .debug_rnglists .debug_sfnames .debug_srcinfo .debug_str .debug_str_offsets .debug_sup .debug_typenames .debug_varnames .debug_weaknames .dtors .ctors .dynamic .dynstr .dynsym .eh_frame .eh_frame_hdr .exception_ranges .fini .fini_array .gcc_except_table .gnu.attributes .gnu.build.attributes .gnu.hash .gnu.version .gnu.version_d .gnu.version_r .gnu_extab .got .got.plt .hash .init .init_array .interp .jcr .lbss .ldata .line .lrodata .plt .plt.got .plt.sec .preinit_array .rela.dyn .rela.plt .relr.dyn .rodata .rodata1 .sframe .stab .stab.excl .stab.exclstr .stab.index .stab.indexstr .stabstr .tbss .tdata .text; do for side in BEFORE AFTER; do echo "SECTIONS { .x : { *(.x) } } INSERT $side $name;" > at.ld && $LD -static main.o -T at.ld -o at && readelf -SW at | grep -q ' \.x ' || exit 1; done; done
//# @places sh: for name in .bss .comment .data .data.rel.ro .data1 .debug .debug_abbrev .debug_addr .debug_aranges .debug_frame .debug_funcnames .debug_info .debug_line .debug_line_str .debug_loc .debug_loclists .debug_macinfo .debug_macro .debug_names .debug_pubnames .debug_pubtypes .debug_ranges .debug_rnglists .debug_sfnames .debug_srcinfo .debug_str .debug_str_offsets .debug_sup .debug_typenames .debug_varnames .debug_weaknames .dtors .ctors .dynamic .dynstr .dynsym .eh_frame .eh_frame_hdr .exception_ranges .fini .fini_array .gcc_except_table .gnu.attributes .gnu.build.attributes .gnu.hash .gnu.version .gnu.version_d .gnu.version_r .gnu_extab .got .got.plt .hash .init .init_array .interp .jcr .lbss .ldata .line .lrodata .plt .plt.got .plt.sec .preinit_array .rela.dyn .rela.plt .relr.dyn .rodata .rodata1 .sframe .stab .stab.excl .stab.exclstr .stab.index .stab.indexstr .stabstr .tbss .tdata .text; do for side in BEFORE AFTER; do echo "SECTIONS { .x : { *(.x) } } INSERT $side $name;" > at.ld && $LD -pie main.o -T at.ld -o at && readelf -SW at | grep -q ' \.x ' || exit 1; done; done
//# @places sh: for name in .bss .comment .data .data.rel.ro .data1 .debug .debug_abbrev .debug_addr .debug_aranges .debug_frame .debug_funcnames .debug_info .debug_line .debug_line_str .debug_loc .debug_loclists .debug_macinfo .debug_macro .debug_names .debug_pubnames .debug_pubtypes .debug_ranges .debug_rnglists .debug_sfnames .debug_srcinfo .debug_str .debug_str_offsets .debug_sup .debug_typenames .debug_varnames .debug_weaknames .dtors .ctors .dynamic .dynstr .dynsym .eh_frame .eh_frame_hdr .exception_ranges .fini .fini_array .gcc_except_table .gnu.attributes .gnu.build.attributes .gnu.hash .gnu.version .gnu.version_d .gnu.version_r .gnu_extab .got .got.plt .hash .init .init_array .interp .jcr .lbss .ldata .line .lrodata .plt .plt.got .plt.sec .preinit_array .rela.dyn .rela.plt .relr.dyn .rodata .rodata1 .sframe .stab .stab.excl .stab.exclstr .stab.index .stab.indexstr .stabstr .tbss .tdata .text; do for side in BEFORE AFTER; do echo "SECTIONS { .x : { *(.x) } } INSERT $side $name;" > at.ld && $LD -shared main.o -T at.ld -o at && readelf -SW at | grep -q ' \.x ' || exit 1; done; done
//# @places sh: for name in .bss .comment .data .data.rel.ro .data1 .debug .debug_abbrev .debug_addr .debug_aranges .debug_frame .debug_funcnames .debug_info .debug_line .debug_line_str .debug_loc .debug_loclists .debug_macinfo .debug_macro .debug_names .debug_pubnames .debug_pubtypes .debug_ranges .debug_rnglists .debug_sfnames .debug_srcinfo .debug_str .debug_str_offsets .debug_sup .debug_typenames .debug_varnames .debug_weaknames .dtors .ctors .dynamic .dynstr .dynsym .eh_frame .eh_frame_hdr .exception_ranges .fini .fini_array .gcc_except_table .gnu.attributes .gnu.build.attributes .gnu.hash .gnu.version .gnu.version_d .gnu.version_r .gnu_extab .got .got.plt .hash .init .init_array .interp .jcr .lbss .ldata .line .lrodata .plt .plt.got .plt.sec .preinit_array .rela.dyn .rela.plt .relr.dyn .rodata .rodata1 .sframe .stab .stab.excl .stab.exclstr .stab.index .stab.indexstr .stabstr .tbss .tdata .text; do for side in BEFORE AFTER; do echo "SECTIONS { .x : { *(.x) } } INSERT $side $name;" > at.ld && $LD -r main.o -T at.ld -o at && readelf -SW at | grep -q ' \.x ' || exit 1; done; done
//# variant: places: main.o -T places.ld
//# variant: no-relro: main.o -shared -z norelro -T dynamic.ld
//# variant: joined: main.o -r -T relocations.ld
//# variant: combined: main.o -T relocations.ld
//# @places section: .x address=section(.data1).end
//# @places section: .data1 address=section(.data).end
//# @places section: .y address=section(.rodata1).end
//# @places section: .rodata1 address=section(.rodata).end
//# @places section: .z index=section(.debug_srcinfo).index+1
//# @places section: .debug_srcinfo index=section(.line).index+1
//# @no-relro section: .w address=section(.dynamic).end
//# @joined section: .x
//# @combined expect-error: \.rela\.text not found for insert
//# peers: none
.globl _start
_start: ret
.section .x,"aw"
.byte 1
.section .y,"a"
.byte 1
.section .other,"aw"
.byte 1
.section .other.read,"a"
.byte 1
.section .other.unloaded,""
.byte 1
.section .w,"aw"
.quad 1
.section .z,""
.byte 1
.section .data1,"aw"
.byte 1
.data
.byte 1
.section .rodata1,"a"
.byte 1
.section .rodata,"a"
.byte 1
.section .debug_srcinfo,""
.byte 1
.section .line,""
.byte 1
.section .note.GNU-stack,""
//# file: dynamic.ld
SECTIONS { .w : { *(.w) } } INSERT AFTER .dynamic;
//# file: relocations.ld
SECTIONS { .x : { *(.x) } } INSERT AFTER .rela.text;
//# file: places.ld
SECTIONS { .x : { *(.x) } } INSERT AFTER .data1;
SECTIONS { .y : { *(.y) } } INSERT AFTER .rodata1;
SECTIONS { .s : { *(.s) } } INSERT BEFORE .line;
SECTIONS { .z : { *(.z) } } INSERT AFTER .debug_srcinfo;
