// --default-symver versions everything with the soname.
//# driver: gcc
//# compile: -fPIC
//# link: -shared -Wl,-soname,libx.so.1 -Wl,--default-symver
//# dynsym: f@@libx.so.1
//# peers: ld
int f(void) { return 1; }
