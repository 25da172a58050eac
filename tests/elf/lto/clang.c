// Bitcode is compiled by LLVM's plugin, as one module or by ThinLTO.
//# cc: clang-19
//# requires: clang-19
//# variant: full: -flto
//# variant: thin: -flto=thin
//# link: main.o part.o -O2
//# run: exit=42
//# peers: ld
int twice(int);
extern int counter;
int main(void) { return counter + twice(20); }
//# file: part.c
int counter = 2;
int twice(int x) { return x * 2; }
