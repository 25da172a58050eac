// A section of SHF_LINK_ORDER sections keeps the flag, and its header names the section that the first
// is linked to; mixed with others it is an ordinary section.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# variant: plain: main.o
//# variant: collected: main.o --gc-sections
//# variant: mixed: main.o ordinary.o
//# link: -static
//# @plain,collected section: meta flags=AL link=section(.text).index size=8
//# @mixed section: meta flags=A link=0
//# @mixed peers:
//# @plain,collected peers: ld lld
//# file: main.s
.section .text._start,"ax",@progbits
.globl _start
_start: ret
.section meta,"ao",@progbits,.text._start
.quad 1
.section .note.GNU-stack,"",@progbits
//# file: ordinary.s
.section meta,"a",@progbits
.quad 2
.section .note.GNU-stack,"",@progbits
