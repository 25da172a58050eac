// What a dynamic list names can be replaced by the program, although -Bsymbolic is given: the library
// does not ask the dynamic linker to look into it first.
//# compile: -fPIC
//# variant: list: -Wl,--no-as-needed
//# variant: names: -Wl,--no-as-needed
//# @list shared: liblist.so list.o -Wl,-Bsymbolic -Wl,--dynamic-list=list.txt
//# @names shared: liblist.so list.o -Wl,-Bsymbolic -Wl,--export-dynamic-symbol=listed
//# link: main.o liblist.so
//# run: stdout="1 20\n"
//# look-at: liblist.so
//# no-dynamic: SYMBOLIC
//# no-dynamic: FLAGS value~SYMBOLIC
//# peers: ld
#include <stdio.h>
int listed(void) { return 1; }
int other(void) { return 2; }
int ask_listed(void), ask_other(void);
int main(void) { printf("%d %d\n", ask_listed(), ask_other()); }
//# file: list.c
int listed(void) { return 10; }
int other(void) { return 20; }
int ask_listed(void) { return listed(); }
int ask_other(void) { return other(); }
//# file: list.txt
{ listed; };
