// A name that is assigned the address of a function is called at the function's global entry, which
// computes the TOC's address.
//# variant: option: -Wl,--defsym=other=print
//# variant: script: alias.ld
//# compile: -fPIC
//# @option link: -pie
//# @script link: main.o
//# run: stdout="7\n"
//# peers: ld
#include <stdio.h>
int number = 7;
void other(void);
void print(void) { printf("%d\n", number); }
int main(void) { other(); }
//# file: alias.ld
other = print;
