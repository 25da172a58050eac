// A name that a member taken meanwhile defines does not take another member for it.
//# driver: gcc
//# archive: liba.a foo.o
//# archive: libb.a both.o
//# archive: libc2.a chain.o
//# link: main.o liba.a libb.a libc2.a
//# run: exit=3
//# peers: ld lld
int baz(void);
int main(void) { return baz(); }
//# file: foo.c
int foo(void) { return 9; }
//# file: both.c
int qux(void);
int foo(void) { return 1; }
int baz(void) { return 2 + qux(); }
//# file: chain.c
int foo(void);
int qux(void) { return foo(); }
