// --whole-archive takes every member, up to --no-whole-archive.
//# driver: gcc
//# archive: liba.a a.o
//# archive: libb.a b.o
//# link: main.o -Wl,--whole-archive liba.a -Wl,--no-whole-archive libb.a
//# run
//# symbol: a
//# no-symbol: b
int main(void) { return 0; }
//# file: a.c
int a(void) { return 1; }
//# file: b.c
int b(void) { return 1; }
