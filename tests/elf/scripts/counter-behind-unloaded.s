// The location counter stands behind a section that is not loaded: what a symbol or a move begins
// there is behind it. Without either the next section in memory follows the one before.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# driver: ld
//# variant: symbol: -T symbol.ld
//# variant: move: -T move.ld
//# variant: nothing: -T nothing.ld
//# link: main.o
//# peers: ld
//# @symbol section: .data address=0x1023
//# @move section: .data address=0x1033
//# @nothing section: .data address=0x1003
//# lint-except: writable-code code and data share a page here, as the script says
    .globl _start
    .text
_start: ret; nop; nop
    .section .loose,""
    .zero 32
    .data
    .byte 2
//# file: symbol.ld
SECTIONS { . = 0x1000; .text : { *(.text) } .loose : { *(.loose) } here = .; .data : { *(.data) } }
//# file: move.ld
SECTIONS { . = 0x1000; .text : { *(.text) } .loose : { *(.loose) } . = . + 16; .data : { *(.data) } }
//# file: nothing.ld
SECTIONS { . = 0x1000; .text : { *(.text) } .loose : { *(.loose) } .data : { *(.data) } }
