// --undefined-glob takes members whose symbols match.
//# driver: gcc
//# archive: libx.a x.o y.o
//# link: main.o -Wl,--undefined-glob=want* libx.a
//# symbol: wanted
//# no-symbol: other
//# peers: lld
int main(void) { return 0; }
//# file: x.c
int wanted(void) { return 1; }
//# file: y.c
int other(void) { return 1; }
