// A hidden symbol is not exported by a version script that names it.
//# driver: gcc
//# compile: -fPIC
//# link: -shared -Wl,--version-script=v.map -Wl,--undefined-version
//# no-dynsym: f
//# dynsym: g@@V1
__attribute__((visibility("hidden"))) int f(void) { return 1; }
int g(void) { return f(); }
//# file: v.map
V1 { global: f; g; local: *; };
