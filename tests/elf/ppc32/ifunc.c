// IFUNCs are called through words that their resolvers fill, and have one address.
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: static: -static
//# @fixed,static compile: -O1 -fno-pie
//# @pie compile: -O1 -fPIE
//# link: main.o more.o
//# run: stdout="42 42 1 43\n"
//# peers: ld
#include <stdio.h>
int chosen(int);
int (*address(void))(int);
static int resolved(int x) { return x + 2; }
static int (*resolve(void))(int) { return resolved; }
static int hidden(int) __attribute__((ifunc("resolve")));
int (*word)(int) = chosen;
int main(void) {
  int (*volatile here)(int) = chosen;
  printf("%d %d %d %d\n", chosen(40), here(40), here == address() && word == here, hidden(41));
}
//# file: more.c
static int one(int x) { return x + 2; }
static int (*resolve(void))(int) { return one; }
int chosen(int) __attribute__((ifunc("resolve")));
int (*address(void))(int) { return chosen; }
