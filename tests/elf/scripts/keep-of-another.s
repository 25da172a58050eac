# KEEP keeps what its statement matches even if another statement takes it, and the names that the
# default layout keeps are kept by a script only if it says so.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# driver: ld
//# link: main.o -z noexecstack --gc-sections -T layout.ld
//# section: .text size=2
//# no-section: .init
//# peers: ld
.globl _start
_start: ret
.section .text.kept,"ax"
nop
.section .text.dropped,"ax"
nop
.section .init,"ax"
nop
//# file: layout.ld
ENTRY(_start)
SECTIONS {
    .text : { *(.text .text.*) }
    .init : { *(.init) }
    .more : { KEEP(*(.text.kept)) }
}
