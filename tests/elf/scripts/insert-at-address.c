// What is inserted into the default layout may have an address that is an expression.
//# @symbol machines: x86-64 aarch64 x32 the program is below 8 MiB
//# driver: gcc
//# variant: aligned: -Wl,-T,aligned.ld
//# variant: counter: -Wl,-T,counter.ld
//# variant: symbol: -Wl,-T,symbol.ld
//# link: main.o -no-pie
//# run:
//# @symbol section: .mine address=0x800000
//# peers: ld lld
int mine[4] __attribute__((section(".mine"), aligned(4))) = {1, 2, 3, 4};
int main(void) { mine[0] = 2; return mine[3] == 4 ? 0 : 1; }
//# file: aligned.ld
SECTIONS { .mine ALIGN(64) : { *(.mine) } } INSERT AFTER .data;
//# file: counter.ld
SECTIONS { .mine . + 64 : { *(.mine) } } INSERT AFTER .data;
//# file: symbol.ld
place = 0x800000;
SECTIONS { .mine place : { *(.mine) } } INSERT AFTER .bss;
