// Objects that hold code and bitcode are code, unless --fat-lto-objects asks for the bitcode: then
// LLVM's plugin compiles it, found by who made it.
//# cc: clang-19
//# requires: clang-19
//# variant: full: | -flto
//# variant: thin: | -flto=thin
//# compile: -O2 -ffat-lto-objects
//# link: main.o part.o -fno-lto -Wl,--fat-lto-objects
//# run: exit=42
//# no-disasm: main call
//# peers: none
//# check: clang-19 -B$(dirname $LD) -Wl,--no-fat-lto-objects main.o part.o -o plain && nm plain | grep -q ' T twice'
int twice(int);
extern int counter;
int main(void) { return counter + twice(20); }
//# file: part.c
int counter = 2;
int twice(int x) { return x * 2; }
