// Options for what only a script can make are accepted silently.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# link: --enable-non-contiguous-regions --disable-non-contiguous-regions --enable-non-contiguous-regions-warnings
//# no-warning: .
//# peers:
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
