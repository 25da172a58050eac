// A library's definition whose version index says that it is local is for nobody, whatever its
// binding: that is told, and not that the symbol is undefined. GNU ld takes it, lld does not.
//# driver: gcc
//# compile: -fPIC
//# requires: objcopy readelf
//# shared: liba.so a.o -Wl,--version-script=v.map
//# sh: objcopy -O binary --only-section=.gnu.version --set-section-flags .gnu.version=alloc liba.so index && tr '\001' '\000' <index >none && objcopy --update-section .gnu.version=none liba.so
//# link: main.o liba.so
//# expect-error: (invalid version index|version definition index) 0 .*symbol f
//# peers: lld
int f(void);
int main(void) { return f(); }
//# file: a.c
int f(void) { return 1; }
int g(void) { return 1; }
//# file: v.map
V { global: g; };
