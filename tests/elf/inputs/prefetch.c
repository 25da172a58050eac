// What is read ahead changes nothing in the output: objects, indexes, members, thin archives.
//# archive: liba.a a.o b.o
//# archive: thin libt.a t.o
//# variant: on: -Wl,--prefetch main.o liba.a libt.a
//# variant: off: -Wl,--no-prefetch main.o liba.a libt.a
//# variant: whole: -Wl,--prefetch main.o -Wl,--whole-archive liba.a libt.a -Wl,--no-whole-archive
//# variant: by-default: main.o liba.a libt.a
//# peers: none
//# run: exit=6
int a(void), t(void);
int main(void) { return a() + t(); }
//# file: a.c
int b(void);
int a(void) { return 1 + b(); }
//# file: b.c
int b(void) { return 2; }
//# file: t.c
int t(void) { return 3; }
