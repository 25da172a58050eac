// An inserted section may have the name of one of the default layout: what it takes stands in it, between
// its symbols.
//# @before machines: x86-64 aarch64 aarch64_be i386 x32 with GNU ld the program reads the data of another section
//# driver: gcc
//# variant: data: -Wl,-T,data.ld
//# variant: rodata: -Wl,-T,rodata.ld
//# variant: before: -Wl,-T,before.ld
//# link: main.o
//# run:
//# same-as: ld
//# peers: ld
extern int s[], e[];
int a __attribute__((section(".mine"), used)) = 3;
int other = 9;
int main(void) { a += 1; return e - s == 1 && s[0] == 4 && other == 9 ? 0 : 1; }
//# file: data.ld
SECTIONS { .data : { s = .; *(.mine) e = .; } } INSERT AFTER .data;
//# file: rodata.ld
SECTIONS { .data : { s = .; *(.mine) e = .; } } INSERT AFTER .rodata;
//# file: before.ld
SECTIONS { .data : { s = .; *(.mine) e = .; } } INSERT BEFORE .data;
