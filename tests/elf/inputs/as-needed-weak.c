// A weak reference alone does not make a library needed.
//# driver: gcc
//# compile: -fPIC
//# shared: liba.so a.o
//# link: main.o -Wl,--as-needed liba.so
//# run: exit=0
//# no-dynamic: NEEDED liba.so
__attribute__((weak)) int a(void);
int main(void) { return a ? a() : 0; }
//# file: a.c
int a(void) { return 1; }
