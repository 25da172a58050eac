// The large code model: 64-bit absolute addresses and GOT offsets.
//# variant: nopie: -no-pie | -fno-pie
//# variant: pie: -pie | -fPIE
//# variant: shared-style: -pie | -fPIC
//# compile: -mcmodel=large
//# run: stdout="7\n"
#include <stdio.h>
int value = 7;
static int local = 0;
int *address(void) { return &local; }
int main(void) { printf("%d\n", value + *address()); }
