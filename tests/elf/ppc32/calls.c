// Calls leave the module, from code of each kind, and addresses of functions are the same in all
// modules.
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: lazy: -no-pie -Wl,-z,lazy
//# variant: now: -pie -Wl,-z,now
//# variant: lazy-pie: -pie -Wl,-z,lazy
//# variant: small: -pie
//# variant: mixed: -no-pie
//# @fixed,lazy compile: -O1 -fno-pie
//# @pie,now,lazy-pie,mixed compile: -O1 -fPIE
//# @small compile: -O1 -fpie
//# shared: libother.so other.o
//# link: main.o more.o -L. -lother -Wl,-rpath,$ORIGIN
//# run: stdout="6 6 7 1 1 28\n"
//# peers: ld lld
#include <stdio.h>
#include <string.h>
int elsewhere(int);
int (*from_library(void))(int);
int twice(int (*)(int), int);
extern int variable;
static int counter;
int main(void) {
  int first = elsewhere(5);
  int again = elsewhere(5);
  counter += 7;
  int (*volatile address)(int) = elsewhere;
  int is_same = address == from_library();
  size_t (*volatile length)(const char *) = strlen;
  printf("%d %d %d %d %d %d\n", first, again, counter, is_same, length("x") == 1, twice(address, 3) + variable);
}
//# file: more.c
int twice(int (*f)(int), int x) { return f(f(x)) + f(1); }
//# file: other.c -fPIC
int variable = 21;
int elsewhere(int x) { return x + 1; }
int (*from_library(void))(int) { return elsewhere; }
