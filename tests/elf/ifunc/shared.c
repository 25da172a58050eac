// An IFUNC that a library exports is resolved for the program by the loader.
//# driver: gcc
//# shared: libx.so lib.o
//# variant: pie: -pie | -fPIE
//# variant: nopie: -no-pie | -fno-pie
//# @pie peers: lld
//# link: main.o libx.so
//# run: exit=5
//# look-at: libx.so
//# dynsym: f type=GNU_IFUNC
int f(void);
int (*volatile pointer)(void) = f;
int main(void) { return pointer == f ? f() : 1; }
//# file: lib.c -fPIC
static int real(void) { return 5; }
static void *resolve(void) { return real; }
int f(void) __attribute__((ifunc("resolve")));
