// A version that the library does not define cannot be linked to.
//# driver: gcc
//# compile: -fPIC
//# shared: libx.so lib.o -Wl,--version-script=v.map
//# link: main.o libx.so
//# expect-error: f@V7
int f(void);
__asm__(".symver f, f@V7");
int main(void) { return f(); }
//# file: lib.c
int f(void) { return 1; }
//# file: v.map
V1 { global: f; local: *; };
