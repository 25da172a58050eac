// -z stack-size is the size of PT_GNU_STACK.
//# link: -Wl,-z,stack-size=0x100000
//# segment: GNU_STACK memsz=0x100000
//# run
int main(void) { return 0; }
