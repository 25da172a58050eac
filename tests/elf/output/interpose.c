// A program's definition is used by the library that defines it as well.
//# driver: gcc
//# compile: -fPIC
//# shared: libfoo.so lib.o
//# link: main.o libfoo.so
//# run: exit=2
//# dynsym: value_of section=.text
int ask(void);
int value_of(void) { return 2; }
int main(void) { return ask(); }
//# file: lib.c
int value_of(void) { return 1; }
int ask(void) { return value_of(); }
