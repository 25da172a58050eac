// PLT entries of both forms, called from both kinds of code, also by a jump.
//# variant: short: -O2
//# variant: long: -O2 -Wl,--long-plt
//# variant: lazy: -O2 -Wl,-z,lazy
//# compile: -O2 -fPIC
//# shared: liba.so a.o
//# link: main.o -L. -la -Wl,-rpath,$ORIGIN
//# run: stdout="5 7\n"
//# peers: ld
#include <stdio.h>
int a(int x);
__attribute__((noinline, target("thumb"))) static int tail(int x) { return a(x + 1); }
__attribute__((noinline, target("arm"))) static int tail_a32(int x) { return a(x + 3); }
int main(void) {
  printf("%d %d\n", tail(3), tail_a32(3));
  return 0;
}
//# file: a.c
int a(int x) { return x + 1; }
