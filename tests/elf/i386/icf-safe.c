// --icf=safe without tables of significant addresses: in code, R_386_PC32 is of a call.
//# peers: none
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp -fno-inline
//# link: -Wl,--icf=safe
//# symbol: called_b value=symbol(called_a).value
//# symbol: distant_b value!=symbol(distant_a).value
//# run: exit=0
volatile int sink;
__attribute__((noinline)) int called_a(int x) { return sink += x; }
__attribute__((noinline)) int called_b(int x) { return sink += x; }
__attribute__((noinline)) int distant_a(int x) { return sink -= x; }
__attribute__((noinline)) int distant_b(int x) { return sink -= x; }
asm(".data\n.long distant_b - .\n.text");
int main(void) { return called_a(1) + called_b(1) + distant_a(1) + distant_b(1) != 1 + 2 + 1 + 0; }
