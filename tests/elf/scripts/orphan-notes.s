# Notes stand together, those of greater alignment first, and no other orphan stands amid them.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# segment: NOTE address=0x1008 align=0x8
//# segment: NOTE address=0x1018 align=0x4
//# section: .note.wide address=0x1008
//# section: .note.first address=0x1018
//# section: .note.last address=0x1028
//# peers: ld
.globl _start
_start: ret
.section .note.first,"a",@note
.balign 4
.long 4, 0, 1
.asciz "abc"
.section .note.wide,"a",@note
.balign 8
.long 4, 0, 1
.asciz "abc"
.section .rodata,"a"
.byte 1
.section .note.last,"a",@note
.balign 4
.long 4, 0, 1
.asciz "abc"
//# file: layout.ld
SECTIONS { .text 0x1000 : { *(.text) } }
