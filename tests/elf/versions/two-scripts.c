// Two version scripts are read as one.
//# driver: gcc
//# compile: -fPIC
//# link: -shared -Wl,--version-script=a.map -Wl,--version-script=b.map
//# dynsym: one@@V1
//# dynsym: two@@V2
//# peers: ld
int one(void) { return 1; }
int two(void) { return 2; }
//# file: a.map
V1 { global: one; };
//# file: b.map
V2 { global: two; };
