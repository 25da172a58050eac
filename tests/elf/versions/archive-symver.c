// A member that defines the default version satisfies a plain reference.
//# driver: gcc
//# compile: -fPIC
//# archive: liba.a a.o
//# link: -shared main.o liba.a -Wl,--version-script=v.map
//# dynsym: f@@V1
//# dynsym: call@@V1
int f(void);
int call(void) { return f(); }
//# file: a.c
__asm__(".symver f_one, f@@V1");
int f_one(void) { return 1; }
//# file: v.map
V1 { global: f; call; local: *; };
