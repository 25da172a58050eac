// clang's compact relocations (SHT_CREL).
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le clang gives branches of ARM no addend there
//# cc: clang-19
//# compile: -Wa,--crel,--allow-experimental-crel -fPIC
//# run: stdout="6\n"
//# peers: lld
#include <stdio.h>
static int values[] = {1, 2, 3};
int *pointers[] = {&values[0], &values[1], &values[2]};
int main(void) {
  printf("%d\n", *pointers[0] + *pointers[1] + *pointers[2]);
}
