// Functions that read the same thread-local variable are equal, in every model; those that read
// others are not.
//# @pie,library machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k elsewhere each function has a literal with the offset
//# peers: lld
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp -fPIC
//# variant: pie: -pie -Wl,--icf=all
//# variant: descriptors: -pie -Wl,--icf=all | -mtls-dialect=gnu2
//# variant: library: -shared -Wl,--icf=all
//# symbol: second value=symbol(first).value
//# symbol: third value!=symbol(first).value
//# @pie,descriptors run
static __thread int x = 1, y = 2;
int first(void) { return x++; }
int second(void) { return x++; }
int third(void) { return y++; }
int main(void) { return first() + second() + third() != 1 + 2 + 2; }
