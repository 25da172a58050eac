// Without addends in place the program runs as before: the loader takes them from the relocations.
//# compile: -fPIE
//# link: -pie -Wl,--no-apply-dynamic-relocs
//# run: stdout="3\n"
#include <stdio.h>
static int values[] = {1, 2};
static int *const table[] = {&values[0], &values[1]};
int main(void) { printf("%d\n", *table[0] + *table[1]); }
