// Common symbols of one name become one, as large and as aligned as the largest.
//# compile: -fcommon
//# run: exit=0
//# symbol: shared type=OBJECT size=64 section=.bss value%32
char shared[4];
int main(void) { return shared[60]; }
//# file: b.c
__attribute__((aligned(32))) char shared[64];
