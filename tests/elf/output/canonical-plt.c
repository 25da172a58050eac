// The address of a library's function is that of the program's PLT entry, everywhere.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 code takes addresses of imports from no table, so that they are the program's
//# driver: gcc
//# compile: -fno-pie -O1
//# shared: libfoo.so lib.o
//# link: -no-pie main.o libfoo.so
//# run
//# dynsym: func type=FUNC section=UND value>0
int func(void);
void *address(void);
int main(void) { return address() == (void *)func ? 0 : 1; }
//# file: lib.c -fPIC
int func(void) { return 1; }
void *address(void) { return (void *)func; }
