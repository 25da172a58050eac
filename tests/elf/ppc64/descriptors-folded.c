// Equal code is folded, and the descriptors stay: functions keep addresses of their own.
//# variant: all: -Wl,--icf=all,--print-icf-sections
//# variant: safe: -Wl,--icf=safe,--print-icf-sections
//# compile: -O2 -ffunction-sections -fno-ipa-icf
//# symbol: first value!=symbol(second).value
//# check: test $(nm -S $OUT | grep -cE ' (first|second)$') = 2
//# run: stdout="1 1 0\n"
//# peers:
#include <stdio.h>
int first(void) { return 1; }
int second(void) { return 1; }
int (*volatile one)(void) = first;
int (*volatile two)(void) = second;
int main(void) { printf("%d %d %d\n", one(), two(), one == two); }
