// Behind 32,768 entries the PLT has others, in blocks of code and of words, by which the loader finds
// the function. All of them are called.
//# sh: for i in $(seq 34000); do echo "f$i: retl; add %o0,1,%o0; .globl f$i; .type f$i,@function"; done >library.s; for i in $(seq 34000); do echo "call f$i; nop"; done >calls; (echo '.globl all; all: save %sp,-176,%sp; mov 0,%o0'; cat calls; echo 'ret; restore %o0,0,%o0') >all.s; as library.s -o library.o; as all.s -o all.o
//# shared: libmany.so library.o
//# link: main.o all.o -L. -lmany -Wl,-rpath,$ORIGIN -Wl,-z,lazy
//# run: stdout="34000\n"
//# peers: ld
#include <stdio.h>
int all(void);
int main(void) { printf("%d\n", all()); }
