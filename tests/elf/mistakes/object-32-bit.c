// One object was compiled with -m32.
//# peers: none
//# error-text: ld: error: area.o: is an ELF file of 32-bit class for i386, incompatible with elf_x86_64
//# error-text: >>> it was compiled with -m32, or for an i386 system
int area(int);
int main(void) { return area(2); }
//# file: area.c -m32
int area(int side) { return side * side; }
