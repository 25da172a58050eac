// Words of `.ctors` run from the last to the first, and their addends, which stand in the words, go with them.
//# run: stdout="one two three main four five six "
//# compile: -w
//# peers: ld
#include <stdio.h>
static void one(void) { printf("one "); }
static void two(void) { printf("two "); }
static void three(void) { printf("three "); }
static void four(void) { printf("four "); }
static void five(void) { printf("five "); }
static void six(void) { printf("six "); }
__attribute__((section(".ctors"), used)) static void (*first[])(void) = {three, two, one};
__attribute__((section(".dtors"), used)) static void (*last[])(void) = {four, five, six};
int main(void) { printf("main "); }
