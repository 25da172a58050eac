// "local: *" does not touch undefined symbols.
//# driver: gcc
//# compile: -fPIC
//# link: -shared -Wl,--version-script=v.map
//# dynsym: puts section=UND
//# dynsym: f
#include <stdio.h>
int f(void) { return puts("x"); }
//# file: v.map
{ global: f; local: *; };
