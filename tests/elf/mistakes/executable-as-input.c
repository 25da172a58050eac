// A program is given to the linker.
//# peers: none
//# sh: gcc -no-pie main.o -o program
//# link: program
//# error-text: ld: error: program: is a program, which cannot be linked again
int main(void) { return 0; }
