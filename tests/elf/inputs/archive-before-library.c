// The first definition on the command line wins, be it a member or a shared library's.
//# driver: gcc
//# compile: -fPIC
//# archive: liba.a a.o
//# shared: libb.so b.o
//# variant: archive: main.o liba.a libb.so
//# variant: library: main.o libb.so liba.a
//# @archive run: exit=1
//# @library run: exit=2
//# peers: ld lld
int f(void);
int main(void) { return f(); }
//# file: a.c
int f(void) { return 1; }
//# file: b.c
int f(void) { return 2; }
