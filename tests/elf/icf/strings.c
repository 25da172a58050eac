// Strings of different files that are equal are one place, whatever their labels.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le ppc64 sparc64 arm loongarch64 addresses of strings are in literals without addends, or in a table of each object
//# peers: lld
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp -fno-inline
//# link: -Wl,--icf=all
//# symbol: second value=symbol(first).value
//# symbol: third value!=symbol(first).value
//# run: stdout="equal equal other\n"
int printf(const char *, ...);
const char *second(void), *third(void);
const char *first(void) { return "equal"; }
int main(void) { printf("%s %s %s\n", first(), second(), third()); return 0; }
//# file: second.c
const char *pad(void) { return "something else"; }
const char *second(void) { return "equal"; }
const char *third(void) { return "other"; }
