// A program's own c@V1 takes the place of a library's, for other libraries too.
//# shared: libl.so l.o -Wl,--version-script=v.map
//# shared: libm.so m.o libl.so
//# driver: gcc
//# compile: -fPIC
//# link: main.o -L. libm.so libl.so -Wl,-rpath,.
//# run: stdout="7"
//# dynsym: c@V1
//# peers: ld
#include <stdio.h>
int mine(void) { return 7; }
__asm__(".symver mine, c@V1");
int ask(void);
int main(void) { printf("%d", ask()); }
//# file: l.c
int one(void) { return 1; }
__asm__(".symver one, c@V1");
int two(void) { return 2; }
__asm__(".symver two, c@@V2");
//# file: m.c
int c(void);
__asm__(".symver c, c@V1");
int ask(void) { return c(); }
//# file: v.map
V1 { global: c; local: *; };
V2 { global: c; } V1;
