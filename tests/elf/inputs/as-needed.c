// --as-needed drops libraries that nothing uses.
//# driver: gcc
//# compile: -fPIC
//# shared: liba.so a.o
//# shared: libb.so b.o
//# variant: yes: main.o -Wl,--as-needed liba.so libb.so
//# variant: no: main.o -Wl,--no-as-needed liba.so libb.so
//# run: exit=1
//# dynamic: NEEDED liba.so
//# @yes no-dynamic: NEEDED libb.so
//# @no dynamic: NEEDED libb.so
int a(void);
int main(void) { return a(); }
//# file: a.c
int a(void) { return 1; }
//# file: b.c
int b(void) { return 1; }
