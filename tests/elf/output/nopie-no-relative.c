// A pointer in a program at a fixed address is not relocated.
//# compile: -fno-pie -O0
//# link: -no-pie
//# run
//# no-reloc: R_X86_64_RELATIVE
//# word64: symbol(pointer).value = symbol(value).value
static int value = 1;
int *volatile pointer = &value;
int main(void) { return *pointer - 1; }
