// The copy is as aligned as the variable.
//# driver: gcc
//# compile: -fno-pie
//# shared: libfoo.so lib.o
//# link: -no-pie main.o libfoo.so
//# run
//# dynsym: big value%64
#include <stdint.h>
extern char big[64];
int main(void) { return (uintptr_t)big % 64; }
//# file: lib.c -fPIC
char first = 1;
_Alignas(64) char big[64] = {1};
