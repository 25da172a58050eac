// --exclude-libs makes the symbols of an archive hidden in the output; its name may lack the suffix, as
// for GNU ld.
//# peers: ld
//# driver: gcc
//# compile: -fPIC
//# archive: liba.a a.o
//# archive: libb.a b.o
//# variant: one: -Wl,--exclude-libs=liba.a
//# variant: all: -Wl,--exclude-libs=ALL
//# variant: list: -Wl,--exclude-libs,libx.a:libb.a
//# variant: stem: -Wl,--exclude-libs=liba
//# link: -shared main.o liba.a libb.a
//# dynsym: f
//# @one,stem,all no-dynsym: a
//# @list dynsym: a
//# @list,all no-dynsym: b
//# @one,stem dynsym: b
int a(void), b(void);
int f(void) { return a() + b(); }
//# file: a.c
int a(void) { return 1; }
//# file: b.c
int b(void) { return 1; }
