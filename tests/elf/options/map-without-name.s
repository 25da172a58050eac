# A build whose variable for the map is empty links: -Map= is ignored, with a warning,
# unless a name follows.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# driver: ld
//# variant: alone: main.o -Map=
//# variant: first: main.o -Map= -Map=named
//# @first no-warning: .
//# @first file-matches: named _start
//# @alone warning: no file/directory name provided for map output; ignored
//# peers: ld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
