// -l finds the first directory that has it; in it, .so before .a, and only .a after -Bstatic.
//# driver: gcc
//# compile: -fPIC
//# sh: mkdir -p one two && ar rcs two/libx.a a.o
//# archive: one/libx.a a.o
//# shared: one/libx.so b.o -Wl,-soname,one/libx.so
//# variant: shared: -Lone -Ltwo -lx
//# variant: static: -Lone -Ltwo -Wl,-Bstatic -lx -Wl,-Bdynamic
//# variant: first: -Ltwo -Lone -lx
//# variant: file: -Lone -l:libx.a
//# link: main.o
//# @static,first,file run: exit=1
//# @shared run: exit=2
int f(void);
int main(void) { return f(); }
//# file: a.c
int f(void) { return 1; }
//# file: b.c
int f(void) { return 2; }
