// .got.plt starts with .dynamic's address and two words for the loader.
//# machines: x86-64 i386 x32 start files refer to _GLOBAL_OFFSET_TABLE_
//# link: -Wl,-z,lazy
//# run
//# word64: symbol(_GLOBAL_OFFSET_TABLE_).value = section(.dynamic).address
//# dynamic: PLTGOT value=section(.got.plt).address
#include <stdio.h>
int main(void) { puts(""); }
