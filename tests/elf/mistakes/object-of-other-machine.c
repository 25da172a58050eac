// One object is for another machine.
//# peers: none
//# cc: clang-19
//# error-text: ld: error: area.o: is an ELF file for AArch64, incompatible with elf_x86_64
int area(int);
int main(void) { return area(2); }
//# file: area.c --target=aarch64-linux-gnu
int area(int side) { return side * side; }
