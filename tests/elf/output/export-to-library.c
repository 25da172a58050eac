// A library refers to a symbol of the program: the program exports it unasked.
//# driver: gcc
//# compile: -fPIC
//# shared: libfoo.so lib.o
//# link: main.o libfoo.so
//# run: exit=6
//# dynsym: callback type=FUNC section=.text
//# no-dynsym: unrelated
int call(void);
int callback(void) { return 6; }
int unrelated(void) { return 7; }
int main(void) { return call(); }
//# file: lib.c
int callback(void);
int call(void) { return callback(); }
