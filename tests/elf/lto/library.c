// A shared library exports what its version script says, though only the plugin has seen it.
//# compile: -O2 -flto -fno-fat-lto-objects -fPIC
//# link: main.o -flto -O2 -shared -Wl,--version-script=exports
//# dynsym: shown
//# no-dynsym: hidden
//# no-symbol: hidden
//# peers: ld
int hidden(int x) { return x + 1; }
int shown(int x) { return hidden(x) * 2; }
//# file: exports
{ global: shown; local: *; };
