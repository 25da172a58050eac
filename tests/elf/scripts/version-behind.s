# The version of the linker is in a section behind all others: it moves no address.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# symbol: end value=8
//# section: .comment address=0x0
//# peers: ld
.globl _start
.text
_start: .zero 5
.section .info
.zero 3
//# file: layout.ld
SECTIONS { .text : { *(.text) } .info : { *(.info) } /DISCARD/ : { *(.bss) } .none : {} }
end = .;
