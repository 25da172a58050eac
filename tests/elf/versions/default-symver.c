// --default-symver versions everything with the soname, in programs too.
//# driver: gcc
//# compile: -fPIC
//# variant: library: -shared -Wl,-soname,libx.so.1
//# variant: program: -rdynamic -nostartfiles -Wl,-e,f,-soname,libx.so.1
//# link: -Wl,--default-symver
//# dynsym: f@@libx.so.1
//# peers: ld
int f(void) { return 1; }
