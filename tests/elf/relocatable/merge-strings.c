// String sections stay mergeable.
//# machines: x86-64 i386 x32 strings are not aligned
//# relocatable: both.o main.o b.o
//# link: both.o
//# compile: -O1
//# run: stdout="same\n"
//# look-at: both.o
//# section: .rodata.str1.1 flags=AMS entsize=1
#include <stdio.h>
const char *f(void);
int main(void) {
  const char *s = "same";
  puts(f());
  return s[0] != f()[0];
}
//# file: b.c
const char *f(void) { return "same"; }
