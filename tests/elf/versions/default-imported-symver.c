// --default-imported-symver: symbols of a library without versions get its soname as theirs.
//# driver: gcc
//# compile: -fPIC
//# shared: libfoo.so foo.o -nostdlib -Wl,-soname,libfoo.so
//# variant: on: -Wl,--default-imported-symver
//# variant: off:
//# link: main.o libfoo.so -nostdlib -Wl,-e,main
//# @on version: libfoo.so kind=need file=libfoo.so
//# @on dynsym: foo@libfoo.so section=UND
//# @off no-version: libfoo.so
//# peers: ld
int foo(void);
int main(void) { return foo(); }
//# file: foo.c
int foo(void) { return 0; }
