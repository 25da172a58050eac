// What a library behind --copy-dt-needed-entries needs defines symbols too, and so does what that
// needs; the output needs the libraries that are used, and no others.
//# compile: -fPIC
//# driver: gcc
//# peers: ld
//# shared: libinner.so inner.o -Wl,-soname=libinner.so
//# shared: libunused.so unused.o -Wl,-soname=libunused.so
//# shared: libmiddle.so middle.o -Wl,--no-as-needed libinner.so libunused.so -Wl,-soname=libmiddle.so
//# shared: libouter.so outer.o libmiddle.so -Wl,-soname=libouter.so -Wl,-rpath-link=.
//# variant: on: main.o -Wl,--copy-dt-needed-entries,-rpath-link=. libouter.so -Wl,-rpath,$ORIGIN
//# variant: alias: main.o -Wl,--add-needed,-rpath-link=. libouter.so -Wl,-rpath,$ORIGIN
//# @on,alias run: stdout="42\n"
//# @on,alias dynamic: NEEDED value=libinner.so
//# @on,alias dynamic: NEEDED value=libouter.so
//# @on,alias no-dynamic: NEEDED value=libunused.so
//# @on,alias no-dynamic: NEEDED value=libmiddle.so
//# variant: default: main.o -Wl,-rpath-link=. libouter.so
//# variant: off: main.o -Wl,--copy-dt-needed-entries,--no-copy-dt-needed-entries,-rpath-link=. libouter.so
//# variant: before: main.o -Wl,-rpath-link=. libouter.so -Wl,--copy-dt-needed-entries
//# @default,off,before expect-error: inner
#include <stdio.h>
int inner(void);
int outer(void);
int main(void) { return printf("%d\n", inner() + outer()) < 0; }
//# file: inner.c
int inner(void) { return 40; }
//# file: unused.c
int unused(void) { return 0; }
//# file: middle.c
int inner(void);
int middle(void) { return inner() - 39; }
//# file: outer.c
int middle(void);
int outer(void) { return middle() + 1; }
