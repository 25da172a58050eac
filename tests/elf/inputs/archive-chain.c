// A member pulls in another one of an earlier archive only inside a group.
//# driver: gcc
//# archive: liba.a a.o c.o
//# archive: libb.a b.o
//# variant: group: main.o -Wl,--start-group liba.a libb.a -Wl,--end-group
//# variant: parentheses: main.o -Wl,-( liba.a libb.a -Wl,-)
//# variant: twice: main.o liba.a libb.a liba.a
//# run: exit=5
int a(void);
int main(void) { return a(); }
//# file: a.c
int b(void);
int a(void) { return b(); }
//# file: b.c
int c(void);
int b(void) { return c(); }
//# file: c.c
int c(void) { return 5; }
