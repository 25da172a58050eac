// GCC's intermediate code without a plugin is an error that says what helps; for bitcode LLVM's
// plugin is found, if it is installed.
//# driver: ld
//# variant: gcc: slim.o
//# variant: llvm: bitcode.o
//# requires: clang-19
//# sh: gcc -flto -fno-fat-lto-objects -xc -c part.inc -o slim.o
//# sh: clang-19 -flto -xc -c part.inc -o bitcode.o
//# link: main.o
//# @gcc expect-error: slim\.o: is GCC's intermediate code alone
//# @gcc expect-error: link with gcc or g\+\+ -flto
//# @llvm symbol: part
//# peers: none
int part(void);
int _start(void) { return part(); }
//# file: part.inc
int part(void) { return 7; }
