// A library that refers to the bounds of a program's set of sections keeps the set.
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: weak: -pie | -DWEAK
//# compile: -fPIC
//# peers: ld
//# shared: libsum.so sum.o
//# link: main.o -L. -l:libsum.so -Wl,-rpath,.,--gc-sections
//# run: exit=7
extern int sum(void);
__attribute__((section("numbers"), used)) static int one = 3;
__attribute__((section("numbers"), used)) static int two = 4;
int main(void) { return sum(); }
//# file: sum.c
#ifdef WEAK
__attribute__((weak))
#endif
extern int __start_numbers[], __stop_numbers[];
int sum(void) {
  int all = 0;
  for (int *at = __start_numbers; at != __stop_numbers; at++) all += *at;
  return all;
}
