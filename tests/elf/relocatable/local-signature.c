// A group whose signature is a local symbol (macros of -g3) survives, compressed or not.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 debug sections have no type of their own
//# compile: -g3 -gz
//# relocatable: both.o main.o b.o
//# link: both.o
//# run: exit=5
//# look-at: both.o
//# section: .debug_macro type=PROGBITS
//# section: .group type=GROUP
#define VALUE f()
int f(void);
int main(void) { return VALUE; }
//# file: b.c
#define VALUE 5
int f(void) { return VALUE; }
