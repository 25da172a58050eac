// Equal functions are in the output once and keep all their names; the first stands for all.
//# @all machines: x86-64 aarch64 x32 arguments of a static function are where those of others are
//# peers: lld
//# compile: -O2 -ffunction-sections -fcf-protection=none -fno-ipa-icf -fno-ipa-cp -fno-inline
//# variant: all: -Wl,--icf=all
//# variant: none: -Wl,--icf=all,--icf=none
//# variant: no: -Wl,--icf=all,--no-icf
//# @no peers: none
//# @all symbol: second value=symbol(first).value
//# @all symbol: third value=symbol(first).value
//# symbol: other value!=symbol(first).value
//# @none,no symbol: second value!=symbol(first).value
//# run
volatile int sink;
__attribute__((noinline)) int first(int x) { return sink += x * 7; }
__attribute__((noinline)) int second(int x) { return sink += x * 7; }
static __attribute__((noinline)) int third(int x) { return sink += x * 7; }
__attribute__((noinline)) int other(int x) { return sink += x * 9; }
int main(void) { return first(1) + second(1) + third(1) + other(1) != 7 + 14 + 21 + 30; }
