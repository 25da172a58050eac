// A shared library cut anywhere is an error, except where only the section headers are gone.
//# driver: ld
//# compile: -fPIC -g0
//# shared: libx.so x.o
//# link: main.o -e f libx.so
//# corrupt: truncate libx.so 512
int x(void);
int f(void) { return x(); }
//# file: x.c
int x(void) { return 1; }
