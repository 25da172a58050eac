// --symbol-ordering-file puts sections with listed symbols first, in the order of the list; local
// symbols count, all that have the name. Blanks around names, empty lines and comments are skipped.
//# link: main.o other.o -static --symbol-ordering-file=list
//# symbol: b value<symbol(local).value
//# symbol: local value<symbol(later).value
//# symbol: later value<symbol(a).value
//# symbol: a value<symbol(c).value
//# symbol: y value<symbol(x).value
//# no-warning: order
//# peers: lld
.globl _start, a, b, c
.section .text.a,"ax"
_start:
a: ret
.section .text.b,"ax"
b: ret
.section .text.c,"ax"
c: ret
.section .text.local,"ax"
local: ret
.section .data.x,"aw"
x: .byte 1
.section .data.y,"aw"
y: .byte 1
.section .note.GNU-stack,"",@progbits
//# file: other.s
.section .text.other,"ax"
ret
local: ret
.globl later
.section .text.later,"ax"
later: ret
.section .note.GNU-stack,"",@progbits
//# file: list
# functions
b
  local
y

later
