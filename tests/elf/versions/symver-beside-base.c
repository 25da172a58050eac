// A symbol without a version beside versions of the same name: each reference gets its own, whichever
// hash table the loader reads. GNU ld's order is that of its own hash table.
//# driver: gcc
//# variant: gnu: main.o old.o older.o -L. libx.so -Wl,-rpath,.
//# variant: sysv: main.o old.o older.o -L. libx.so -Wl,-rpath,.
//# peers:
//# @gnu shared: libx.so lib.o -Wl,--version-script=x.map,--hash-style=gnu
//# @sysv shared: libx.so lib.o -Wl,--version-script=x.map,--hash-style=sysv
//# run: stdout="0 2 1\n"
#include <stdio.h>
int fab(void);
int old(void);
int older(void);
int main(void) { printf("%d %d %d\n", fab(), old(), older()); }
//# file: old.c
int fab_v2(void);
__asm__(".symver fab_v2, fab@V2");
int old(void) { return fab_v2(); }
//# file: older.c
int fab_v1(void);
__asm__(".symver fab_v1, fab@V1");
int older(void) { return fab_v1(); }
//# file: lib.c -fPIC
int fab(void) { return 0; }
int fab_1(void) { return 1; }
int fab_2(void) { return 2; }
__asm__(".symver fab_1, fab@V1");
__asm__(".symver fab_2, fab@V2");
//# file: x.map
V1 { }; V2 { } V1;
