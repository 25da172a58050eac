// A shared library exports what its version script says, though only the plugin has seen it.
//# compile: -O2 -flto -fno-fat-lto-objects -fPIC
//# link: main.o part.o -flto -O2 -shared -Wl,--version-script=exports
//# dynsym: shown
//# no-dynsym: hidden
//# no-symbol: hidden
//# no-dynsym: table
//# peers: ld
int hidden(int x) { return x + 1; }
extern __attribute__((visibility("hidden"))) const int table[2];
int shown(int x) { return hidden(x) * table[x & 1]; }
//# file: part.c
__attribute__((visibility("hidden"))) const int table[2] = { 2, 3 };
//# file: exports
{ global: shown; local: *; };
