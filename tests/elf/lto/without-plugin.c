// Intermediate code without a plugin is an error that says what helps.
//# driver: ld
//# variant: gcc: slim.o
//# variant: llvm: bitcode.o
//# requires: clang-19
//# sh: gcc -flto -fno-fat-lto-objects -c main.c -o slim.o && clang-19 -flto -c main.c -o bitcode.o
//# link: 
//# @gcc expect-error: slim\.o: is GCC's intermediate code alone
//# @gcc expect-error: link with gcc or g\+\+ -flto
//# @llvm expect-error: bitcode\.o: is LLVM bitcode, which needs a compiler plugin
//# @llvm expect-error: llvm-VERSION-linker-tools
//# peers: none
int main(void) { return 0; }
