// Functions that refer to other places, or to other offsets in one place, are different.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le fields of ARM hold addends, and are compared
//# peers: lld
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp -fno-inline
//# link: -Wl,--icf=all
//# symbol: second value!=symbol(first).value
//# symbol: third value!=symbol(first).value
//# symbol: alias_a value!=symbol(first).value
//# symbol: equal value=symbol(second).value
//# symbol: through value=symbol(alias_a).value
//# run
int array[4] = {1, 2, 3, 4};
int scalar = 5;
extern int name_of_scalar __attribute__((alias("scalar")));
int first(void) { return array[1]; }
int second(void) { return array[2]; }
int equal(void) { return array[2]; }
int third(void) { return array[3]; }
int alias_a(void) { return scalar; }
int through(void) { return name_of_scalar; }
int main(void) {
  return first() != 2 || second() != 3 || equal() != 3 || third() != 4 || through() != 5;
}
