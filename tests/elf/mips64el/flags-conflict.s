# Objects whose instruction sets no processor has together are named.
//# driver: ld
//# compile: -mips64r2 -mnan=2008
//# link: -e __start
//# expect-error: main.o has MIPS64 release 2 and more.o has MIPS64 release 6|with previous mips:isa64r2|incompatible target ISA
//# peers: ld lld
.globl __start
__start: jr $31
//# file: more.s
.module mips64r6
.globl f
f: jr $31
