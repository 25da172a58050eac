// Functions whose resolver chooses them, through pointers and calls, in programs of each kind.
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: static: -static
//# variant: pic: -pie | -fPIC
//# run: stdout="1 1 1 1 1\n"
//# peers: ld
#include <stdio.h>
static int one(void) { return 1; }
static int (*resolve(void))(void) { return one; }
int f(void) __attribute__((ifunc("resolve")));
static int g(void) __attribute__((ifunc("resolve")));
int (*p)(void) = f;
int (*q)(void) = g;
int main(void) {
  printf("%d %d %d %d %d\n", f(), g(), p(), q(), p == f);
  return 0;
}
