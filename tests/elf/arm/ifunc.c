// An IFUNC whose resolver and function are of either kind, by call and by pointer.
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: static: -static
//# compile: -O1
//# run: stdout="42 42\n"
//# peers: ld
#include <stdio.h>
__attribute__((target("arm"))) static int impl(void) { return 42; }
__attribute__((target("thumb"))) static void *resolve(void) { return (void *)impl; }
int function(void) __attribute__((ifunc("resolve")));
int (*pointer)(void) = function;
int main(void) {
  printf("%d %d\n", function(), pointer());
  return 0;
}
