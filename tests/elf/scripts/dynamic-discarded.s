# Without .dynamic there is no _DYNAMIC, as in a kernel that relocates itself: its address would be 0. What
# refers to it misses a definition.
//# driver: ld
//# variant: none: main.o -shared -T layout.ld
//# variant: referred: main.o reference.o -shared -T layout.ld
//# @none no-symbol: _DYNAMIC
//# @none symbol: _start
//# @referred expect-error: _DYNAMIC
//# peers: ld
.globl _start
_start: .long 0
.section .note.GNU-stack,""
//# file: reference.s
.data
.p2align 3
.hidden _DYNAMIC
.long _DYNAMIC - .
.section .note.GNU-stack,""
//# file: layout.ld
SECTIONS { . = 0x10000; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data) }
  /DISCARD/ : { *(.interp .dynamic .dynsym .dynstr .hash .gnu.hash) } }
