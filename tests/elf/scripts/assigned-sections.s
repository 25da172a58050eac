# A symbol that is assigned outside of output sections belongs to the last one in memory, or to the next
# if the location counter has been assigned to, unless an end of the program comes before that; one
# that is assigned in a section which is not in the output belongs to the neighbor that is most like it.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 no section of the linker's own follows those of a script
//# driver: ld
//# variant: plain: -T plain.ld
//# variant: ended: -T ended.ld
//# variant: unloaded: -T unloaded.ld
//# link: main.o -z noexecstack
//# @plain symbol: before section=.text
//# @plain symbol: still_text section=.text
//# @plain symbol: next_read section=.rodata
//# @plain symbol: in_read section=.rodata
//# @plain symbol: in_data section=.tbss
//# @plain symbol: moved section=.bss
//# @plain symbol: last section=.bss
//# @plain symbol: aligned section=.bss
//# @ended symbol: next_read section=.rodata
//# @ended symbol: next_data section=.rodata
//# @ended symbol: still_data section=.data
//# @ended symbol: behind_all section=.bss
//# @unloaded symbol: nowhere section=ABS
//# @unloaded symbol: behind_thread section=.text
//# lint-except: writable-code the script puts all into one segment
//# lint-except: segment-alignment the script places it
//# peers: ld
.globl _start
.text
_start: nop
.data
.quad 1
.section .rodata,"a"
.quad 1
.section .tbss,"awT",@nobits
.quad 0
.section .debug_x
.quad 0
.bss
.skip 12
//# file: plain.ld
SECTIONS {
    before = .; .text : { *(.text) }
    still_text = .; . = ALIGN(16); next_read = .;
    .dropped_read : { in_read = .; } .rodata : { *(.rodata) }
    .data : { *(.data) } .dropped_data : { in_data = .; }
    . = .; moved = .;
    .bss : { *(.bss) } last = .; . = ALIGN(64); aligned = .;
}
//# file: ended.ld
SECTIONS {
    .text : { *(.text) }
    . = ALIGN(16); next_read = .; .rodata : { *(.rodata) }
    _end = .; . = 0x1000; next_data = .; .data : { *(.data) }
    still_data = .; .bss : { *(.bss) }
    .debug_x 0 : { *(.debug_x) } . = 0x5000; behind_all = .;
}
//# file: unloaded.ld
SECTIONS {
    .debug_x 0 : { *(.debug_x) } nowhere = .;
    .tbss : { *(.tbss) } . = 0x100; behind_thread = .;
    .text : { *(.text) } .data : { *(.data) } .bss : { *(.bss) }
}
