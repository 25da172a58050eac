// A version that only weak references ask for is needed like any other, as by all peers; one that a
// script gives to nothing is marked as weak, as by GNU ld.
//# driver: gcc
//# shared: liby.so lib.o -Wl,--version-script=y.map
//# link: -shared -fPIC main.o -Wl,--no-as-needed liby.so -Wl,--version-script=x.map
//# compile: -fPIC
//# version: Y1 kind=need flags=
//# version: X1 kind=def flags=
//# version: X2 kind=def flags=WEAK
//# version: X3 kind=def flags=
//# peers: ld
extern int y(void) __attribute__((weak));
int x(void) { return y ? y() : 0; }
int x_3(void) { return 0; }
__asm__(".symver x_3, x3@@X3");
//# file: lib.c
int y(void) { return 1; }
//# file: y.map
Y1 { global: y; local: *; };
//# file: x.map
X1 { x; }; X2 { }; X3 { };
