// A script that only INSERTs, with -r: it inserts into GNU ld's layout for -r, where sections keep
// their names, are joined with those of the very same name alone, and begin at 0.
//# compile: -O1 -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables
//# link: -r main.o more.o -T insert.ld
//# peers: none
//# section: .mine size=8 address=0
//# section: .early address=0
//# section: .text address=0
//# section: .text.main address=0
//# section: .text.more address=0
//# section: .rodata.z address=0
//# section: .bss.x address=0
//# section: .array size=4
//# check: gcc $OUT -o program && ./program
int x;
int y = 3;
const int z = 4;
__attribute__((section(".array"))) int a = 1;
int more(void), plain(void);
int f(void) { return x + y + *(volatile const int *)&z; }
int main(void) { return f() + more() + plain() + a != 13; }
//# file: more.c
int more(void) { return 2; }
__attribute__((section(".text"))) int plain(void) { return 3; }
//# file: insert.ld
SECTIONS { .mine : { *(.data.y) LONG(7) } } INSERT AFTER .data;
SECTIONS { .early : { *(.text.f) } } INSERT BEFORE .text;
SECTIONS { .array : { *(.array) } } INSERT AFTER .init_array;
