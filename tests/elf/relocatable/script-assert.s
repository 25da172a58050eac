// ASSERT of a script counts with -r too; sections are at 0 and have their sizes.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# driver: ld
//# variant: holds: main.o good.txt
//# variant: fails: main.o bad.txt
//# variant: undefined: main.o undefined.txt
//# link: -r
//# @holds symbol: a
//# @fails expect-error: the data is too large
//# @undefined expect-error: nothing defines it
//# peers: ld
.data
.globl a
a: .quad 0, 1, 2
.section .note.GNU-stack,"",@progbits
//# file: good.txt
ASSERT(SIZEOF(.data) == 24 && DEFINED(a), "the data has another size")
//# file: bad.txt
ASSERT(SIZEOF(.data) < 24, "the data is too large")
//# file: undefined.txt
ASSERT(DEFINED(missing), "nothing defines it")
