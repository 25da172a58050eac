// Sections of different memory regions are in different segments, though they share a page; a section
// that bytes of the script make is only read, whatever its name says.
//# @regions machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# driver: ld
//# variant: regions: main.o -T regions.ld
//# variant: stated: -z noseparate-code main.o -T stated.ld
//# peers: ld
//# @regions segment: LOAD address=0x10000 filesz=1
//# @regions segment: LOAD address=0x10010 filesz=1
//# @stated segment: LOAD count=1
//# lint-except: writable-code one of these pages has code and data, as the script says
    .globl _start
    .text
_start: ret
    .section .const,"a"
    .byte 1
    .section .note.GNU-stack,""
//# file: regions.ld
MEMORY { ONE : ORIGIN = 0x10000, LENGTH = 16 TWO : ORIGIN = 0x10010, LENGTH = 16 }
SECTIONS { .text : { *(.text) } >ONE .const : { *(.const) } >TWO }
//# file: stated.ld
SECTIONS { . = 0x10000; .text : { *(.text) *(.const) } . = 0x11000; .data.more : { LONG(1) } }
