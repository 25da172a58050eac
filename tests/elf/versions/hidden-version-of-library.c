// A library may need another's version that links do not see.
//# driver: ld
//# compile: -fPIC
//# shared: libold.so old.o --version-script=v.map -soname libold.so
//# shared: libuser.so user.o libold.so -soname libuser.so
//# link: main.o libuser.so libold.so -e main --no-allow-shlib-undefined
//# peers: lld
int through(void);
int main(void) { return through(); }
//# file: old.c
__asm__(".symver f_old, f@V1");
int f_old(void) { return 1; }
//# file: user.c
__asm__(".symver f, f@V1");
int f(void);
int through(void) { return f(); }
//# file: v.map
V1 { global: f; };
