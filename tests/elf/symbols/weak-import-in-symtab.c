// A library's symbol that only weak references use is weak in .symtab as in .dynsym, a function and
// a variable.
//# driver: gcc
//# compile: -fPIC
//# shared: libx.so lib.o
//# link: -no-pie main.o -Wl,--no-as-needed libx.so
//# symbol: f bind=WEAK section=UND
//# symbol: v bind=WEAK section=UND
//# symbol: g bind=GLOBAL section=UND
//# dynsym: f bind=WEAK section=UND
//# run: exit=3
__attribute__((weak)) int f(void);
extern int v __attribute__((weak));
int g(void);
int main(void) { return (f ? f() : 0) + (&v ? v : 0) + g(); }
//# file: lib.c
int v = 1;
int f(void) { return 1; }
int g(void) { return 1; }
