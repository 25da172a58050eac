# An assignment may be made of the value that an object gives its symbol.
//# driver: ld
//# variant: layout: main.o -z noexecstack -T layout.ld --defsym=more=more+4
//# variant: alone: main.o -z noexecstack added.ld --defsym=more=more+4
//# symbol: early value=0x100
//# symbol: own value=0x110
//# symbol: late value=0x110
//# symbol: more value=0x204
//# peers: ld
.globl _start, own, more
own = 0x100
more = 0x200
_start: ret
//# file: layout.ld
early = own;
own += 0x10;
late = own;
SECTIONS { . = 0x10000; .text : { *(.text) } }
//# file: added.ld
early = own;
own = own + 0x10;
late = own;
