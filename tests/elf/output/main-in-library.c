// main may come from a shared library.
//# driver: gcc
//# compile: -fPIC
//# shared: libmain.so lib.o
//# link: main.o libmain.so
//# run: exit=9
int unused;
//# file: lib.c
int main(void) { return 9; }
