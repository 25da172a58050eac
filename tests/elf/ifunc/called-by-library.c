// A program's IFUNC that a library calls is a plain function to it, at a PLT entry: a library that
// is bound at once is relocated before the program, and the loader could not call the resolver.
//# @fixed,pic machines: x86-64 i386 x32 the address of a function in another module is that of a PLT entry
//# @pie machines: x86-64 aarch64 x32 the PLT of i386 programs is their own
//# driver: gcc
//# compile: -O1
//# shared: libx.so lib.o -Wl,-z,now
//# variant: fixed: main.o libx.so -no-pie | -fno-pie
//# variant: pic: main.o libx.so -no-pie | -fPIC
//# variant: pie: main.o libx.so -pie | -fPIE
//# @fixed,pic peers: ld
//# @pie peers:
//# run: exit=0
//# dynsym: f type=FUNC
static int real(void) { return 5; }
static void *resolve(void) { return real; }
int f(void) __attribute__((ifunc("resolve")));
int ask(void);
int main(void) { return ask() == f() ? 0 : 1; }
//# file: lib.c -fPIC
int f(void);
int ask(void) { return f(); }
