// DT_DEBUG is there for debuggers in a program, and not in a library.
//# run
//# dynamic: DEBUG value=0
//# shared: libx.so b.o
//# look-at: libx.so
//# no-dynamic: DEBUG
int main(void) { return 0; }
//# file: b.c -fPIC
int f(void) { return 0; }
