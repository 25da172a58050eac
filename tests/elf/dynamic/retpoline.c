// -z retpolineplt: calls of imported functions jump by return, lazily bound or not.
//# machines: x86-64 the option is for x86-64
//# compile: -fPIC -O1 -fno-plt
//# variant: lazy: -Wl,-z,lazy | -fplt
//# variant: now: -Wl,-z,now | -fplt
//# variant: pointer: -Wl,-z,lazy
//# link: -pie -Wl,-z,retpolineplt
//# run: stdout="one two 3\n"
//# check: objdump -dj .plt $OUT | grep pause
//# check: ! objdump -d -j .plt $OUT | grep 'jmp *\*'
//# peers: lld
#include <stdio.h>
#include <stdlib.h>
int (*volatile print)(const char *, ...) = printf;
int main(void) { print("one %s %d\n", "two", atoi("3")); }
