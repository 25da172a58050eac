// Libraries that objects name in .deplibs are linked, also those named by their members; without
// them the symbols are undefined.
//# cc: clang-19
//# archive: libouter.a outer.o
//# archive: libinner.a inner.o
//# variant: followed:
//# variant: not-followed: -Wl,--no-dependent-libraries
//# link: main.o -L.
//# peers: lld
//# @followed run: exit=7
//# @not-followed expect-error: outer
//# file: main.c
#pragma comment(lib, "outer")
int outer(void);
int main(void) { return outer(); }
//# file: outer.c
#pragma comment(lib, "libinner.a")
int inner(void);
int outer(void) { return inner() + 3; }
//# file: inner.c
int inner(void) { return 4; }
