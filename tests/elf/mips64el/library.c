// A library and its program: imports and exports have words of the GOT in the order of .dynsym,
// pointers in data are relocated by them, and a definition of the program is preferred.
//# variant: lazy: -Wl,-z,lazy
//# variant: now: -Wl,-z,now
//# compile: -O1 -fPIC
//# shared: liblib.so lib.o
//# link: main.o -L. -llib -Wl,-rpath,$ORIGIN
//# run: stdout="12 3 44 29 2\n"
//# peers: ld lld
#include <stdio.h>
extern int shared, array[4];
int callback(int (*function)(int), int argument), call_over(void);
int over(void) { return 2; }
static int square(int x) { return x * x; }
int twice(int x) { return 2 * x; }
static int (*table[])(int) = {square, twice};
int main(int count, char **words) {
  (void)words;
  int first = callback(table[count - 1], 5), second = callback(twice, 5);
  printf("%d %d %d %d %d\n", shared, array[2], first, second, call_over());
  return 0;
}
//# file: lib.c
int shared = 11, array[4] = {1, 2, 3, 4};
int *pointer = &shared;
static int own = 3;
static int *to_own = &own;
__attribute__((visibility("hidden"))) int hidden(int x) { return x * 2; }
int callback(int (*function)(int), int x) {
  return function(x) + *pointer + *to_own + hidden(1) + array[1];
}
__attribute__((weak)) int over(void) { return 1; }
int call_over(void) { return over(); }
__attribute__((constructor)) static void initialize(void) { shared += 1; }
