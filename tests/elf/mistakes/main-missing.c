// A library's source is linked as a program.
//# machines: x86-64 aarch64 i386 the compiler makes PIEs
//# peers: none
//# compile: -g
//# expect-error: ^ld: error: undefined symbol: main$
//# expect-error: ^>>> referenced by \S+/Scrt1\.o:\(_start\)$
//# expect-error: ^>>> a program begins with main: is its file among the inputs\? For a library, pass -shared$
//# file: main.c
int area(int side) { return side * side; }
