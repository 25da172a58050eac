# A reference to what a script discards is an error; one from a section that is not loaded is none.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# driver: ld
//# variant: error: -T error.ld
//# variant: none: -T none.ld
//# link: main.o -z noexecstack
//# @error expect-error: (?s)discarded section.*gone|gone.*discarded
//# @none section: .text size=9
//# peers: none
.globl _start
_start: .quad gone
.section .gone,"a"
.globl gone
gone: .byte 1
.section .loose,""
.quad gone
//# file: error.ld
SECTIONS { .text : { *(.text) } /DISCARD/ : { *(.gone) } }
//# file: none.ld
SECTIONS { .text : { *(.text .gone) } .loose 0 : { *(.loose) } /DISCARD/ : { *(.none) } }
