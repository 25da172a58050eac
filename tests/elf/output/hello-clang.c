// clang calls the linker by --ld-path.
//# requires: clang-19
//# cc: clang-19
//# driver: clang-19
//# run: stdout="Hello, world\n"
#include <stdio.h>
int main(void) { printf("Hello, world\n"); }
