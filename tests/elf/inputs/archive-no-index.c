// An archive without an index is searched by its members' symbols.
//# driver: gcc
//# archive: no-index libx.a unused.o used.o
//# link: main.o libx.a
//# run: exit=3
//# no-symbol: unused
//# peers: lld
int used(void);
int main(void) { return used(); }
//# file: used.c
int used(void) { return 3; }
//# file: unused.c
int unused(void) { return 4; }
