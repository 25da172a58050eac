// Tables for the loader that a script puts among other things, or under another name, are in a
// file that readers accept: the type and the entry size are those of the table that is all, or the
// beginning, of its section; what is neither is no table for readers, and the program still runs.
//# driver: ld
//# shared: libx.so lib.o
//# link: main.o libx.so -pie -dynamic-linker /lib64/ld-linux-x86-64.so.2 -rpath .
//# variant: behind: -T behind.ld
//# variant: ahead: -T ahead.ld
//# variant: joined: -T joined.ld
//# variant: renamed: -T renamed.ld
//# variant: packed: -T packed.ld -z pack-relative-relocs
//# variant: plt: -T plt.ld
//# peers:
//# check: nm $OUT && objcopy $OUT copy && strip -o stripped $OUT && ./stripped
//# @behind section: .rela.dyn type=RELA entsize=24 size>=72
//# @ahead section: .rela.dyn type=PROGBITS entsize=0 link=0
//# @joined section: .dynsym type=PROGBITS entsize=0 link=0
//# @renamed section: .rel.symbols type=DYNSYM entsize=24
//# @renamed section: .rel type=RELA entsize=24
//# @renamed section: .names type=STRTAB
//# @packed section: .rel.dyn type=PROGBITS entsize=0
//# @plt section: .rel.dyn type=RELA entsize=24
//# @behind lint-except: dynamic-address no entries follow in the section
//# @ahead,packed lint-except: dynamic-relacount the section has no type by which it would be read
//# @packed,joined lint-except: dynamic-address the table is within a section
//# @joined lint-except: relocation-symbol the table of symbols has no type by which it would be read
//# @joined lint-except: section-link the symbols that other tables refer to are in no table of their own
//# run:
    .globl _start
    .text
_start:
    call answer@plt
    lea here(%rip), %rcx
    cmp %rcx, place(%rip)
    setne %dl
    movzbl %dl, %edi
    mov $60, %eax
    syscall
    .section .rodata,"a"
here: .long 7
    .data
    .balign 8
place: .quad here, answer
//# file: lib.s
    .globl answer
    .type answer, @function
answer: ret
//# file: behind.ld
SECTIONS { . = SIZEOF_HEADERS; .rela.dyn : { *(.rela.dyn) . = . + 24; } .text : { *(.text) } . = ALIGN(4096); .data : { *(.data) } }
//# file: ahead.ld
SECTIONS { . = SIZEOF_HEADERS; .rela.dyn : { LONG(0) *(.rela.dyn) } .text : { *(.text) } . = ALIGN(4096); .data : { *(.data) } }
//# file: joined.ld
SECTIONS { . = SIZEOF_HEADERS; .dynsym : { *(.dynsym) *(.hash) *(.rodata) } .text : { *(.text) } . = ALIGN(4096); .data : { *(.data) } }
//# file: renamed.ld
SECTIONS { . = SIZEOF_HEADERS; .rel.symbols : { *(.dynsym) } .names : { *(.dynstr) } .rel : { *(.rel*) } .text : { *(.text) } . = ALIGN(4096); .data : { *(.data) } }
//# file: packed.ld
SECTIONS { . = SIZEOF_HEADERS; .rel.dyn : { *(.rel*) } .text : { *(.text) } . = ALIGN(4096); .data : { *(.data) } }
//# file: plt.ld
SECTIONS { . = SIZEOF_HEADERS; .rel.dyn : { . = ALIGN(8); *(.rela.plt) *(.rela.dyn) } .text : { *(.text) } . = ALIGN(4096); .data : { *(.data) } }
