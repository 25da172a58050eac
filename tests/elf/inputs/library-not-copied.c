// A symbol of a library that only another library needs is not there for the program.
//# driver: gcc
//# compile: -fPIC
//# shared: libb.so b.o
//# shared: liba.so a.o libb.so
//# link: main.o liba.so
//# expect-error: b
int b(void);
int a(void);
int main(void) { return a() + b(); }
//# file: a.c
int b(void);
int a(void) { return b(); }
//# file: b.c
int b(void) { return 3; }
