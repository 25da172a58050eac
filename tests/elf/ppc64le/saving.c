// The linker makes the functions that save and restore registers.
//# variant: pie: -pie
//# variant: static: -static
//# variant: collected: -pie -Wl,--gc-sections
//# compile: -Os -fPIE
//# link: main.o more.o
//# run: stdout="55 2.5\n"
//# symbol: _savegpr0_29 bind=LOCAL
//# symbol: _restgpr0_29
//# peers: ld lld
#include <stdio.h>
int next(int);
double half(double);
int sum(int a, int b, int n) {
  double kept = half(1), other = half(2), third = half(3);
  while (n--) a += next(b), b = next(b);
  return a + (int)(kept + other + third) - 3;
}
int main(void) {
  int all = sum(0, 0, 10);
  printf("%d %.1f\n", all, half(5));
}
//# file: more.c
int next(int x) { return x + 1; }
double half(double x) { return x / 2; }
