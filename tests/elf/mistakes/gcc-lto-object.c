// An object that gcc -flto made holds no machine code.
//# peers: none
//# compile: -flto -fno-fat-lto-objects
//# driver: ld
//# link: -e main
//# error-text: ld: error: main.o: is GCC's intermediate code alone, which needs the plugin of the GCC that made it
//# error-text: >>> link with gcc or g++ -flto, or compile with -ffat-lto-objects
int main(void) { return 0; }
