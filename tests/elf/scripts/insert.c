// INSERT moves what a script says before it and what it includes, into the default layout.
//# machines: x86-64 aarch64 addresses, and what is made of them, have eight bytes
//# driver: gcc
//# variant: direct: -Wl,-T,insert.ld
//# variant: included: -Wl,-T,including.ld
//# section: .mine size=8
//# section: .early size=8
//# section: .second size=8
//# symbol: mine_end value=section(.mine).end
//# run: exit=8 stdout="hi\n"
//# peers: ld
#include <stdio.h>
extern char mine_start[], mine_end[];
__attribute__((section("mine"))) int a = 4, b = 5;
__attribute__((section("early"))) int (*print)(const char *) = puts;
int main(void) {
    print("hi");
    return (int)(mine_end - mine_start);
}
//# file: including.ld
INCLUDE first.ld
INSERT AFTER .data;
SECTIONS { .early : { *(early) } } INSERT BEFORE .bss;
//# file: first.ld
SECTIONS { .mine : { mine_start = .; *(mine) mine_end = .; } .second : { QUAD(1) } }
//# file: insert.ld
SECTIONS { .mine : { mine_start = .; *(mine) mine_end = .; } .second : { QUAD(1) } } INSERT AFTER .data;
SECTIONS { .early : { *(early) } } INSERT BEFORE .bss;
