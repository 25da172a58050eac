// A copied variable is as weak as in its library, whoever refers to it.
//# machines: x86-64 i386 x32 the compiler reaches what may be weak without the GOT
//# driver: gcc
//# compile: -fno-pie
//# shared: libx.so lib.o
//# link: -no-pie main.o -L. libx.so -Wl,-rpath,.
//# dynsym: weak bind=WEAK
//# dynsym: strong bind=GLOBAL
//# symbol: weak bind=WEAK
//# run: exit=3
//# peers: ld
extern int weak;
extern int strong __attribute__((weak));
int main(void) { return weak + strong; }
//# file: lib.c -fPIC
int weak __attribute__((weak)) = 1;
int strong = 2;
