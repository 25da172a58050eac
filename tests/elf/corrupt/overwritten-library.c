// No byte of a shared library can crash the linker.
//# driver: ld
//# compile: -fPIC -g0
//# shared: libx.so x.o
//# link: main.o -e f libx.so
//# corrupt: overwrite libx.so 97 ff
//# peers: none
int x(void);
int f(void) { return x(); }
//# file: x.c
int x(void) { return 1; }
