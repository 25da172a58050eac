// In a library exported functions are folded with --icf=all and keep their names; calls that
// another module may take over are compared by name.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 functions do not find the GOT by their own addresses
//# peers: lld
//# compile: -O2 -ffunction-sections -fPIC -fno-ipa-icf -fno-ipa-cp -fno-inline
//# file: lib.c
volatile int sink;
int plain_a(int x) { return sink += x; }
int plain_b(int x) { return sink += x; }
int calls_a(int x) { return plain_a(x) + 1; }
int calls_b(int x) { return plain_b(x) + 1; }
__attribute__((visibility("hidden"))) int hidden_a(int x) { return sink -= x; }
__attribute__((visibility("hidden"))) int hidden_b(int x) { return sink -= x; }
int inside_a(int x) { return hidden_a(x) + 1; }
int inside_b(int x) { return hidden_b(x) + 1; }
//# file: main.c
int plain_b(int x) { return 100 * x; }
int calls_a(int), calls_b(int), inside_a(int), inside_b(int);
int main(void) {
  if (calls_a(1) != 2 || calls_b(1) != 101) return 1;
  return inside_a(1) != 1 || inside_b(1) != 0;
}
//# shared: libx.so lib.o -Wl,--icf=all
//# link: main.o ./libx.so
//# run
//# look-at: libx.so
//# dynsym: plain_b value=symbol(plain_a).value
//# dynsym: calls_b value!=symbol(calls_a).value
//# dynsym: inside_b value=symbol(inside_a).value
