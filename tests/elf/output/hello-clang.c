// clang calls the linker by --ld-path.
//# cc: clang-19
//# driver: clang-19
//# run: stdout="Hello, world\n"
#include <stdio.h>
int main(void) { printf("Hello, world\n"); }
