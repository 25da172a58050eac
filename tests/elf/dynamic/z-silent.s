// -z words without effect here are accepted without a word; those that nobody knows are a warning.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# variant: known: -z one-rosegment -z noone-rosegment -z extern-protected-data -z noextern-protected-data -z hazardplt -z bndplt -z relax -z common -z nocommon -z lazy -z combreloc
//# variant: unknown: -z frobnicate
//# @known no-warning: .
//# @unknown warning: unknown.*frobnicate
//# peers:
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
