// An object that clang -flto made is LLVM's bitcode.
//# peers: none
//# cc: clang-19
//# compile: -flto
//# driver: ld
//# link: -e main
//# error-text: ld: error: main.o: is LLVM bitcode, which needs link-time optimization; that is not supported yet
//# error-text: >>> compile it without -flto
int main(void) { return 0; }
