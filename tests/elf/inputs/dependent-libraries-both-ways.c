// Libraries that .deplibs names come behind what is taken already: they define what members that
// were taken before refer to, and members are taken for them of archives of the command line.
//# cc: clang-19
//# archive: libfirst.a first.o second.o
//# archive: libouter.a outer.o
//# archive: libinner.a inner.o
//# link: main.o -L. libfirst.a
//# peers: lld
//# run: stdout="first outer second inner"
//# file: main.c
void first(void);
int main(void) { first(); return 0; }
//# file: first.c
#include <stdio.h>
#pragma comment(lib, "outer")
void outer(void);
void first(void) { fputs("first ", stdout); outer(); }
//# file: second.c
#include <stdio.h>
void inner(void);
void second(void) { fputs("second ", stdout); inner(); }
//# file: outer.c
#include <stdio.h>
#pragma comment(lib, "inner")
void second(void);
void outer(void) { fputs("outer ", stdout); second(); }
//# file: inner.c
#include <stdio.h>
void inner(void) { fputs("inner", stdout); }
