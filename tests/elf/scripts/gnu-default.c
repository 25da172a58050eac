// GNU ld's own script gives a program that runs, dynamic, static and position-independent.
//# @pie machines: x86-64 aarch64 i386 the compiler makes PIEs
//# driver: gcc
//# requires: ld sed
//# sh: ld --verbose | sed '1,/^=====/d;/^=====/,$d' > plain.ld
//# sh: ld -pie --verbose | sed '1,/^=====/d;/^=====/,$d' > pie.ld
//# variant: dynamic: -no-pie main.o -Wl,-T,plain.ld
//# variant: static: -static main.o -Wl,-T,plain.ld
//# variant: pie: -pie main.o -Wl,-T,pie.ld
//# peers: ld
//# run: stdout="start 4 1 end"
//# segment: GNU_RELRO
#include <stdio.h>
#include <stdlib.h>
__thread int initialised = 4, zero;
extern char etext, edata, end;
static void at_end(void) { fputs(" end", stdout); }
__attribute__((constructor)) static void at_start(void) { fputs("start ", stdout); }
int main(int count, char **words) {
    atexit(at_end);
    zero = count;
    printf("%d %d", initialised, &etext < &edata && &edata < &end && zero == 1);
    return 0;
}
