// .got.plt starts with .dynamic's address and two words for the loader.
//# link: -Wl,-z,lazy
//# run
//# word64: symbol(_GLOBAL_OFFSET_TABLE_).value = section(.dynamic).address
//# dynamic: PLTGOT value=section(.got.plt).address
#include <stdio.h>
int main(void) { puts(""); }
