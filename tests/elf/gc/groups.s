// The members of a group live together.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# link: -static --gc-sections
//# symbol: data_of_group
.include "machine.inc"
.text
.globl _start
_start: calls f
.section .text.f,"axG",@progbits,sig,comdat
f: ret
.section .data.f,"awG",@progbits,sig,comdat
data_of_group: .quad 1
.section .note.GNU-stack,"",@progbits
