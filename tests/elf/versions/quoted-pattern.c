// A quoted name is no glob.
//# peers: ld
//# driver: gcc
//# compile: -fPIC
//# link: -shared -Wl,--version-script=v.map
//# no-dynsym: foobar
//# dynsym: foo
int foobar(void) { return 1; }
int foo(void) { return 2; }
//# file: v.map
{ global: "foo*"; foo; local: *; };
