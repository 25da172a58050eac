// --section-ordering-file with output sections and braces, as GNU ld from 2.43 reads it: what is named
// comes first in its output section.
//# archive: libx.a x.o
//# link: main.o libx.a -static --section-ordering-file=list
//# symbol: y value<symbol(c).value
//# symbol: c value<symbol(b).value
//# symbol: b value<symbol(x).value
//# symbol: x value<symbol(a).value
//# symbol: d2 value<symbol(d1).value
//# peers:
.include "machine.inc"
.globl _start
.section .text.a,"ax"
_start:
a: calls x
.section .text.b,"ax"
b: ret
.section .text.c,"ax"
c: ret
.section .data.1,"aw"
d1: .byte 1
.section .data.2,"aw"
d2: .byte 1
.section .note.GNU-stack,"",@progbits
//# file: x.s
.globl x
.section .text.x,"ax"
x: ret
.section .text.y,"ax"
y: ret
.section .note.GNU-stack,"",@progbits
//# file: list
.text : {
  *libx.a:x.o(.text.y)
  /* one statement names its sections in their own order */
  *(.text.c)
  main.o(.text.a .text.b EXCLUDE_FILE(*) .text.x);
  KEEP(*(.text.b .text.x))
}
.data : { *(.data.2) }
