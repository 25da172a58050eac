// A function of a library has one address for the program and the library, whatever code takes it.
//# variant: fixed: -no-pie | -fno-pic
//# variant: pic: -pie | -fPIC
//# variant: data: -no-pie | -fPIC
//# shared: libother.so other.o
//# link: main.o -L. -lother -Wl,-rpath,$ORIGIN
//# run: stdout="6 1 1\n"
//# peers: ld
#include <stdio.h>
int twice(int), (*address(void))(int);
int (*volatile in_data)(int) = twice;
int main(void) {
  int (*in_code)(int) = twice;
  printf("%d %d %d\n", in_code(3), address() == in_code, in_data == in_code);
  return 0;
}
//# file: other.c -fPIC
int twice(int n) { return 2 * n; }
int (*address(void))(int) { return twice; }
