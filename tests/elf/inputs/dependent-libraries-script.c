// A library that .deplibs names may be a text script that asks for names and gives them values: what
// is wanted is asked anew, of all files.
//# cc: clang-19
//# archive: libfirst.a first.o second.o
//# archive: libouter.a outer.o
//# archive: libinner.a inner.o asked.o
//# link: main.o -L. libfirst.a
//# peers: lld
//# run: stdout="first second inner"
//# symbol: asked
//# symbol: given value=0x1234
//# file: main.c
#include <stdio.h>
#pragma comment(lib, "scripted.ld")
void first(void);
int main(void) { first(); return 0; }
//# file: first.c
#include <stdio.h>
void outer(void);
void first(void) { fputs("first ", stdout); outer(); }
//# file: second.c
#include <stdio.h>
void inner(void);
void second(void) { fputs("second ", stdout); inner(); }
//# file: outer.c
void second(void);
void outer(void) { second(); }
//# file: inner.c
#include <stdio.h>
void inner(void) { fputs("inner", stdout); }
//# file: asked.c
int asked = 1;
//# file: scripted.ld
EXTERN(asked)
given = 0x1234;
GROUP(libouter.a libinner.a)
