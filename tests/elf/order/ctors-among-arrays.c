// Constructors in `.ctors` and in `.init_array` run in the order of the link, and destructors in its
// reverse, as if they had one name; those with priorities come before, in both forms alike.
//# peers: ld
//# run: stdout="p1 p2 i1 c1 i2 c3 main d3 f2 f1 d1 "
//# compile: -w
//# link: main.o b.o c.o
#include "say.h"
SAY(i1, ".init_array") SAY(c1, ".ctors") SAY(d1, ".dtors") SAY(f1, ".fini_array")
SAY(p2, ".init_array.00300")
int main(void) { printf("main "); }
//# file: b.c
#include "say.h"
SAY(i2, ".init_array") SAY(f2, ".fini_array")
//# file: c.c
#include "say.h"
SAY(c3, ".ctors") SAY(d3, ".dtors")
SAY(p1, ".ctors.65334")
//# file: say.h
#include <stdio.h>
#define SAY(name, section_name)                                                                    \
  static void say_##name(void) { printf(#name " "); }                                              \
  __attribute__((section(section_name), used)) static void (*pointer_##name)(void) = say_##name;
