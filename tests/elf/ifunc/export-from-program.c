// A program that is not position-independent exports an IFUNC as the address that it uses itself.
//# @pie machines: x86-64 aarch64 x32 the distance of an IFUNC from the GOT is refused, as by GNU ld
//# driver: gcc
//# compile: -O1
//# shared: libx.so lib.o
//# variant: nopie: main.o libx.so -no-pie | -fno-pie
//# variant: pie: main.o libx.so -pie | -fPIE
//# @pie peers: lld
//# run: exit=0
//# dynsym: f type=FUNC
static int real(void) { return 5; }
static void *resolve(void) { return real; }
int f(void) __attribute__((ifunc("resolve")));
int (*volatile pointer)(void) = f;
int same(int (*p)(void));
int main(void) { return same(pointer) && same(f) && f() == 5 ? 0 : 1; }
//# file: lib.c -fPIC
int f(void);
int same(int (*p)(void)) { return p == f; }
