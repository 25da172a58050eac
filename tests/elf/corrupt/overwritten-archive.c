// No byte of an archive can crash the linker.
//# driver: ld
//# compile: -g0
//# archive: libx.a x.o
//# link: main.o -static -e f libx.a
//# corrupt: overwrite libx.a 13 ff
//# peers: none
int x(void);
int f(void) { return x(); }
//# file: x.c
int x(void) { return 1; }
