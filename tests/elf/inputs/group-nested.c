// Groups may be nested, also in the two spellings mixed (lld does not allow it).
//# driver: gcc
//# archive: liba.a a.o c.o
//# archive: libb.a b.o
//# archive: libd.a d.o
//# variant: inner-first: main.o -Wl,--start-group -Wl,-( liba.a libb.a -Wl,-) libd.a -Wl,--end-group
//# variant: inner-last: main.o -Wl,-( libd.a -Wl,--start-group libb.a liba.a -Wl,--end-group -Wl,-)
//# variant: thrice: main.o -Wl,-( -Wl,-( -Wl,-( libd.a libb.a liba.a -Wl,-) -Wl,-) -Wl,-)
//# run: exit=5
//# peers: ld
int a(void);
int main(void) { return a(); }
//# file: a.c
int b(void);
int a(void) { return b(); }
//# file: b.c
int c(void);
int b(void) { return c(); }
//# file: c.c
int d(void);
int c(void) { return d(); }
//# file: d.c
int d(void) { return 5; }
