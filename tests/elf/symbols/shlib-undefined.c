// A program checks that its libraries' undefined symbols are defined somewhere.
//# driver: gcc
//# compile: -fPIC
//# shared: liba.so a.o
//# variant: default: -Wl,--no-allow-shlib-undefined
//# variant: allowed: -Wl,--allow-shlib-undefined
//# link: main.o liba.so
//# @default expect-error: nowhere
//# @allowed dynamic: NEEDED liba.so
int a(void);
int main(void) { return a(); }
//# file: a.c
int nowhere(void);
int a(void) { return nowhere(); }
