// Each object has its own table of addresses, and calls the same functions from there: in a library
// of objects, and in one of objects that are joined with -r before.
//# variant: objects
//# variant: joined
//# compile: -O1
//# @objects shared: libthree.so one.o two.o three.o
//# @joined relocatable: joined.o one.o two.o three.o
//# @joined shared: libthree.so joined.o
//# link: main.o -L. -lthree -Wl,-rpath,$ORIGIN
//# run: stdout="one 1\ntwo 2\nthree 3\n6\n"
//# peers: ld
#include <stdio.h>
int one(void), two(void), three(void);
int main(void) {
  int sum = one() + two();
  sum += three();
  printf("%d\n", sum);
}
//# file: one.c -fPIC
#include <stdio.h>
int first = 1;
int one(void) { return printf("one %d\n", first), first; }
//# file: two.c -fPIC
#include <stdio.h>
int second = 2, other = 7;
int two(void) { return printf("two %d\n", second), second + (other - 7); }
//# file: three.c -fPIC
#include <stdio.h>
int third = 3;
int three(void) { return printf("three %d\n", third), third; }
