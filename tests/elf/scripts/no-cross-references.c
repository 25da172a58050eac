// NOCROSSREFS lists output sections that may not refer to each other, NOCROSSREFS_TO one that the others
// may not refer to.
//# compile: -O0 -fno-pic -fno-asynchronous-unwind-tables
//# driver: ld
//# variant: both: main.o -T both.ld
//# variant: one: main.o -T one.ld
//# variant: fine: main.o -T fine.ld
//# peers: ld
//# @both,one expect-error: prohibited cross reference from [`.]?\.?second
//# @both expect-error: prohibited cross reference from [`.]?\.?first
//# @one no-error: prohibited cross reference from [`.]?\.?first
#define IN(name) __attribute__((section(name)))
IN("one") int first(int);
IN("two") int second(int n) { return n ? first(n - 1) : 0; }
IN("one") int first(int n) { return n ? second(n - 1) : 1; }
void _start(void) { first(1); }
//# file: both.ld
SECTIONS { . = 0x10000; .first : { *(one) } .second : { *(two) } .text : { *(.text) } }
NOCROSSREFS(.first .second)
//# file: one.ld
SECTIONS { . = 0x10000; .first : { *(one) } .second : { *(two) } .text : { *(.text) } }
NOCROSSREFS_TO(.first .second)
//# file: fine.ld
SECTIONS { . = 0x10000; .first : { *(one) } .second : { *(two) } .text : { *(.text) } }
NOCROSSREFS(.text .data)
