// A shared library has a soname and no entry, and the program that needs it records the soname.
//# driver: gcc
//# compile: -fPIC
//# shared: libfoo.so lib.o -Wl,-soname,libfoo.so.1
//# sh: ln -s libfoo.so libfoo.so.1
//# link: main.o libfoo.so
//# run: exit=42
//# dynamic: NEEDED libfoo.so.1
//# look-at: libfoo.so
//# header: type=DYN
//# dynamic: SONAME libfoo.so.1
//# no-segment: INTERP
//# dynsym: foo type=FUNC bind=GLOBAL section=.text
int foo(void);
int main(void) { return foo(); }
//# file: lib.c
int foo(void) { return 42; }
