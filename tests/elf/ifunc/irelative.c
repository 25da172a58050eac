// IRELATIVE relocations come last: resolvers may use what the others have relocated.
//# compile: -fPIE
//# link: -pie
//# run: exit=5
static int real(void) { return 5; }
static int (*volatile table[])(void) = {real};
static void *resolve(void) { return table[0]; }
int f(void) __attribute__((ifunc("resolve")));
int (*pointer)(void) = f;
int main(void) { return pointer(); }
