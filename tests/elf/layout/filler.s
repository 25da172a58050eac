// --filler finds bytes that a linker forgets to write: the output does not depend on it.
//# variant: ff: --filler 0xff
//# variant: none:
//# link: a.o b.o
//# bytes: .text = c3 cc cc cc cc cc cc cc c3
//# bytes: .data = 01 00 00 00 00 00 00 00 02
//# peers:
//# file: a.s
.globl _start
_start: ret
.data
.byte 1
//# file: b.s
.text
.balign 8
ret
.data
.balign 8
.byte 2
