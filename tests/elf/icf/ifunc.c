// Resolvers may be one; the functions that they choose are compared by name. lld compares resolvers.
//# peers: none
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp -fno-inline
//# variant: pie: -Wl,--icf=all
//# variant: static: -static -Wl,--icf=all
//# symbol: resolve_b value=symbol(resolve_a).value
//# symbol: calls_b value!=symbol(calls_a).value
//# run
static int chosen(void) { return 3; }
int (*resolve_a(void))(void) { return chosen; }
int (*resolve_b(void))(void) { return chosen; }
int a(void) __attribute__((ifunc("resolve_a")));
int b(void) __attribute__((ifunc("resolve_b")));
__attribute__((noinline)) int calls_a(void) { return a() + 1; }
__attribute__((noinline)) int calls_b(void) { return b() + 1; }
int main(void) { return calls_a() + calls_b() != 8; }
