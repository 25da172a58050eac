// A program may have a version script too; what it needs keeps its versions.
//# link: -Wl,--version-script=v.map -Wl,-E
//# run
//# dynsym: exported@@V1
//# no-dynsym: internal
//# version: GLIBC_2.2.5 kind=need file=libc.so.6
#include <stdio.h>
int exported(void) { return 1; }
int internal(void) { return 1; }
int main(void) { puts(""); }
//# file: v.map
V1 { global: exported; local: *; };
