// --icf=safe without tables of significant addresses: a function to which something else than a
// call refers keeps its address. lld folds nothing of such objects.
//# machines: x86-64 aarch64 i386 x32 riscv64 m68k calls have a type of their own, or instructions
//# peers: none
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp -fno-inline
//# link: -Wl,--icf=safe
//# symbol: called_b value=symbol(called_a).value
//# symbol: compared_b value!=symbol(compared_a).value
//# symbol: stored_b value!=symbol(called_a).value
//# run
volatile int sink;
__attribute__((noinline)) int called_a(int x) { return sink += x; }
__attribute__((noinline)) int called_b(int x) { return sink += x; }
__attribute__((noinline)) int stored_b(int x) { return sink += x; }
__attribute__((noinline)) int compared_a(int x) { return sink -= x; }
__attribute__((noinline)) int compared_b(int x) { return sink -= x; }
int (*stored)(int) = stored_b;
int (*volatile chosen)(int);
int main(void) {
  chosen = sink ? compared_a : compared_b;
  if (chosen == compared_a) return 1;
  return called_a(1) + called_b(1) + stored(1) + chosen(1) != 1 + 2 + 3 + 2;
}
