// An archive cut anywhere is an error.
//# driver: ld
//# compile: -g0
//# archive: libx.a x.o
//# link: main.o -static -e f libx.a
//# corrupt: truncate libx.a 64
int x(void);
int f(void) { return x(); }
//# file: x.c
int x(void) { return 1; }
