// The function that chooses an indirect one stands behind code that became shorter in its own section.
//# variant: static: -static
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: no-relax: -static -Wl,--no-relax
//# compile: -O1
//# run: exit=7
//# peers: ld
static int chosen(void) { return 3; }
__attribute__((noinline)) int other(int x) { return x + 1; }
__attribute__((noinline)) int caller(int x) { return other(other(x)) + other(x); }
static int (*choose(void))(void) { return chosen; }
int indirect(void) __attribute__((ifunc("choose")));
int main(void) { return indirect() + caller(0) + 1; }
