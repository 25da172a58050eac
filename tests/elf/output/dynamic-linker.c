// PT_INTERP holds the path of --dynamic-linker with its final zero.
//# link: -Wl,--dynamic-linker=/lib64/other-ld.so
//# bytes: .interp = 2f 6c 69 62 36 34 2f 6f 74 68 65 72 2d 6c 64 2e 73 6f 00
//# segment: INTERP filesz=19
int main(void) { return 0; }
