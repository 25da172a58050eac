// An object without .note.GNU-stack does not make the stack executable; who asks is told of it.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# variant: default:
//# variant: asked: --warn-execstack
//# link: -static
//# segment: GNU_STACK flags=RW
//# @default no-warning: .
//# @asked warning: b\.o: missing \.note\.GNU-stack section
//# @default peers: lld
//# @asked peers:
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: b.s
.globl f
f: ret
