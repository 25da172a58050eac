// -z retpolineplt: calls of imported functions are returns, in code with a GOT register and without, and arguments in
// registers stay.
//# variant: pic: -pie -z lazy | -fPIE
//# variant: fixed: -no-pie -z lazy | -fno-pie
//# variant: pic-now: -pie -z now | -fPIE
//# variant: fixed-now: -no-pie -z now | -fno-pie
//# shared: liba.so a.o
//# link: liba.so -z retpolineplt
//# run: stdout="123 123 7\n"
//# @pic bytes: section(.plt).address+6 = 50 8b 83
//# @fixed bytes: section(.plt).address+6 = 50 8b 05
//# @pic,fixed bytes: section(.plt).address+32 = 89 0c 24 8b 4c 24 04 89 44 24 04 89 c8 59 c3
//# @pic,fixed bytes: section(.plt).address+65 = 68 00 00 00 00 e9 b5 ff ff ff
//# @pic-now,fixed-now bytes: section(.plt).address = e8 0b 00 00 00 f3 90 0f ae e8 eb f9 cc cc cc cc 89 0c 24
//# @pic-now bytes: section(.plt).address+32 = 50 8b 83
//# @fixed-now bytes: section(.plt).address+32 = 50 8b 05
//# check: ! objdump -d -j .plt $OUT | grep '[^l]jmp *\*'
#include <stdio.h>
__attribute__((regparm(3))) int f(int, int, int);
static int seven(void) { return 7; }
__attribute__((used)) static void *choose(void) { return seven; }
int g(void) __attribute__((ifunc("choose")));
int main(void) { printf("%d %d %d\n", f(1, 2, 3), f(1, 2, 3), g()); return 0; }
//# file: a.c -fPIC
__attribute__((regparm(3))) int f(int a, int b, int c) { return 100 * a + 10 * b + c; }
