// A library that asks for another library's c@V1 does not get a program's plain c.
//# shared: libl.so l.o -Wl,--version-script=v.map
//# shared: libm.so m.o libl.so
//# driver: gcc
//# compile: -fPIC
//# link: main.o -L. libm.so libl.so -Wl,-rpath,.
//# run: stdout="1"
//# no-dynsym: c
#include <stdio.h>
int c(void) { return 7; }
int ask(void);
int main(void) { printf("%d", ask()); }
//# file: l.c
int one(void) { return 1; }
__asm__(".symver one, c@V1");
//# file: m.c
int c(void);
__asm__(".symver c, c@V1");
int ask(void) { return c(); }
//# file: v.map
V1 { global: c; local: *; };
