// The data segment of a script starts a page of its own, so that memory can become read-only, if
// statements behind it take inputs that have bytes in memory. If not, it starts at the next page's
// like place.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# driver: ld
//# variant: empty: -T empty.ld
//# variant: unloaded: -T unloaded.ld
//# variant: full: -T full.ld
//# link: main.o
//# peers: ld
//# @empty,unloaded symbol: here value=0x11003
//# @full symbol: here value=0x11000
    .globl _start
    .text
_start: ret; nop; nop
    .section .loose,""
    .byte 1
    .data
    .byte 2
    .section .note.GNU-stack,""
//# file: empty.ld
SECTIONS { . = 0x10000; .text : { *(.text) }
  . = DATA_SEGMENT_ALIGN(0x1000, 0x1000); here = .; .empty : { *(.bss) } .data 0x20000 : {} }
//# file: unloaded.ld
SECTIONS { . = 0x10000; .text : { *(.text) }
  . = DATA_SEGMENT_ALIGN(0x1000, 0x1000); here = .; .loose 0 : { *(.loose) } .data 0x20000 : {} }
//# file: full.ld
SECTIONS { . = 0x10000; .text : { *(.text) }
  . = DATA_SEGMENT_ALIGN(0x1000, 0x1000); here = .; .data : { *(.data) } }
