// An LTO object without machine code is an error, not an empty program.
//# driver: ld
//# compile: -flto -fno-fat-lto-objects
//# link: -e main
//# expect-error: .
//# peers: none
int main(void) { return 0; }
