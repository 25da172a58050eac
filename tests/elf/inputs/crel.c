// clang's compact relocations (SHT_CREL).
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
