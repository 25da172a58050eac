// A pointer in a PIE is relocated by the loader.
//# compile: -fPIE -O0
//# link: -pie
//# run
//# reloc: R_X86_64_RELATIVE place=symbol(pointer).value addend=symbol(value).value
//# dynamic: RELACOUNT value>=1
static int value = 1;
int *volatile pointer = &value;
int main(void) { return *pointer - 1; }
