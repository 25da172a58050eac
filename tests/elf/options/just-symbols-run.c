// -R FILE and --just-symbols: what a loaded program exports is called at its addresses. A
// directory after -R is a run path.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le functions of Thumb have odd values
//# driver: ld
//# peers: ld
//# variant: joined: -Rother
//# variant: apart: -R other
//# variant: long: --just-symbols=other
//# sh: "$LD" b.o -static -Ttext=0x700000 -e function -o other
//# archive: unused.a b.o
//# link: main.o -static
//# symbol: function value=0x700000 section=ABS
//# symbol: datum section=ABS
//# no-segment: LOAD address=0x700000
//# file: main.c
extern void function(void);
extern int datum;
void _start(void) { function(); datum++; }
//# file: b.c
int datum = 1;
void function(void) {}
