// A version script gives versions and makes the rest local.
//# driver: gcc
//# compile: -fPIC
//# link: -shared -Wl,--version-script=v.map -Wl,-soname,libx.so
//# dynsym: one@@V1
//# dynsym: two@@V2
//# no-dynsym: other
//# version: libx.so kind=def flags=BASE index=1
//# version: V1 kind=def
//# version: V2 kind=def
int one(void) { return 1; }
int two(void) { return 2; }
int other(void) { return 3; }
//# file: v.map
V1 { global: one; local: *; };
V2 { global: two; } V1;
