// A program is bound to the default version; one that asks for the old one gets that.
//# driver: gcc
//# compile: -fPIC
//# shared: libx.so lib.o -Wl,--version-script=v.map
//# variant: new: main.o libx.so
//# variant: old: main.o libx.so | -DOLD
//# @new run: exit=2
//# @old run: exit=1
//# @new version: V2 kind=need file=libx.so
//# @old version: V1 kind=need file=libx.so
int f(void);
#ifdef OLD
__asm__(".symver f, f@V1");
#endif
int main(void) { return f(); }
//# file: lib.c
__asm__(".symver f_old, f@V1");
__asm__(".symver f_new, f@@V2");
int f_old(void) { return 1; }
int f_new(void) { return 2; }
//# file: v.map
V1 { global: f; local: *; };
V2 { global: f; } V1;
