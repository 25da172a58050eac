// Without the address taken, the undefined function of a program has no value.
//# machines: x86-64 aarch64 i386 x32 riscv64 calls have a type of their own
//# driver: gcc
//# compile: -fno-pie -O1
//# shared: libfoo.so lib.o
//# link: -no-pie main.o libfoo.so
//# run: exit=1
//# dynsym: func section=UND value=0
int func(void);
int main(void) { return func(); }
//# file: lib.c -fPIC
int func(void) { return 1; }
