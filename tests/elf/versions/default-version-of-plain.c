// A name and the default version that .symver makes of it are one definition.
//# link: -shared -fPIC -Wl,--version-script=v.map
//# compile: -fPIC
//# dynsym: foo@V1
//# dynsym: foo@@V2
//# peers: lld
void foo(void) {}
__asm__(".symver foo, foo@V1");
__asm__(".symver foo, foo@@V2");
//# file: v.map
V1 { global: foo; local: *; };
V2 {};
