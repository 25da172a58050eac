// --pop-state restores --as-needed and -Bstatic.
//# driver: gcc
//# compile: -fPIC
//# shared: liba.so a.o
//# shared: libb.so a.o
//# link: main.o -Wl,--no-as-needed -Wl,--push-state,--as-needed liba.so -Wl,--pop-state libb.so
//# run
//# no-dynamic: NEEDED liba.so
//# dynamic: NEEDED libb.so
int main(void) { return 0; }
//# file: a.c
int a(void) { return 1; }
