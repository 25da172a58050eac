// What the program refers to weakly it can do without, so a library that needs it, too, is no error. GNU
// ld takes the program's reference for a strong one then.
//# compile: -fPIC
//# peers: lld
//# shared: lib.so lib.o
//# variant: weak: | -DWEAK
//# variant: strong: | -O0
//# link: main.o lib.so -Wl,-rpath,.
//# @weak run: exit=42
//# @strong expect-error: nowhere
#ifdef WEAK
void nowhere(void) __attribute__((weak));
#else
#define nowhere 0
#endif
int library(int);
int main(void) { return nowhere ? 1 : library(0); }
//# file: lib.c
void nowhere(void);
int library(int call) { if (call) nowhere(); return 42; }
