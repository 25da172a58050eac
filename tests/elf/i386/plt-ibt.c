// PLT entries with landing pads bind lazily, with a GOT register and without.
//# variant: pie: -pie | -fPIE
//# variant: fixed: -no-pie | -fno-pie
//# shared: liba.so a.o
//# link: liba.so -z ibtplt
//# run: stdout="42 42\n"
//# bytes: section(.plt).address+32 = f3 0f 1e fb ff
//# bytes: section(.plt).address+48 = f3 0f 1e fb 68 00 00 00 00 e9
#include <stdio.h>
int f(void);
int main(void) { printf("%d %d\n", f(), f()); return 0; }
//# file: a.c -fPIC
int f(void) { return 42; }
