// Libraries without versions are needed without versions.
//# driver: gcc
//# compile: -fPIC
//# shared: libx.so lib.o
//# link: main.o libx.so
//# dynsym: f section=UND version=
//# no-version: file=libx.so
//# run: exit=1
int f(void);
int main(void) { return f(); }
//# file: lib.c
int f(void) { return 1; }
