// An object that gcc -flto made holds no machine code.
//# peers: none
//# compile: -flto -fno-fat-lto-objects
//# driver: ld
//# link: -e main
//# error-text: ld: error: main.o: is GCC's intermediate code alone, which needs link-time optimization; that is not supported yet
//# error-text: >>> compile it without -flto, or with -ffat-lto-objects
int main(void) { return 0; }
