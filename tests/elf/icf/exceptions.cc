// Functions with exception tables are folded if the tables are equal, by their content: what is
// thrown is caught where it should be. lld does not fold them.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le tables of ARM are linked to each function
//# @safe machines: x86-64 aarch64 i386 x32 riscv64 calls have a type of their own
//# peers: none
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp
//# variant: all: -Wl,--icf=all
//# variant: static: -static -Wl,--icf=all
//# variant: safe: -Wl,--icf=safe
//# variant: clang: -Wl,--icf=all | -O2 -ffunction-sections
//# variant: no-pie: -no-pie -Wl,--icf=all | -fno-pic
//# symbol: catch_int_b value=symbol(catch_int_a).value
//# symbol: catch_long value!=symbol(catch_int_a).value
//# symbol: cleanup_b value=symbol(cleanup_a).value
//# run: stdout="1 1 2 3 3\n"
#include <cstdio>
volatile int which, cleaned;
struct Guard {
  ~Guard() { cleaned = cleaned + 1; }
};
extern "C" {
[[gnu::noinline]] void throws() {
  if (which) throw 1;
  throw 2L;
}
[[gnu::noinline]] int catch_int_a() {
  try { throws(); } catch (int) { return 1; }
  return 0;
}
[[gnu::noinline]] int catch_int_b() {
  try { throws(); } catch (int) { return 1; }
  return 0;
}
[[gnu::noinline]] int catch_long() {
  try { throws(); } catch (long) { return 1; }
  return 0;
}
[[gnu::noinline]] void cleanup_a() { Guard guard; throws(); }
[[gnu::noinline]] void cleanup_b() { Guard guard; throws(); }
}
int main() {
  which = 1;
  int a = catch_int_a(), b = catch_int_b();
  which = 0;
  int c = catch_long() + 1;
  try { cleanup_a(); } catch (long) { cleaned = cleaned + 1; }
  try { cleanup_b(); } catch (long) {}
  std::printf("%d %d %d %d %d\n", a, b, c, cleaned, cleaned);
}
