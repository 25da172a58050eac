// --call-graph-ordering-file: calls by name, a line each, in place of those of the objects; sections
// of the symbol ordering file come before. --print-symbol-order writes the order found.
//# machines: x86-64 i386 x32 no symbols mark what is code
//# variant: hfsort: -static --call-graph-profile-sort=hfsort --call-graph-ordering-file=calls
//# variant: listed: -static --call-graph-profile-sort=hfsort --call-graph-ordering-file=calls --symbol-ordering-file=list
//# link: --print-symbol-order=found
//# @hfsort symbol: d value<symbol(b).value
//# @listed symbol: c value<symbol(d).value
//# symbol: d value<symbol(b).value
//# symbol: b value<symbol(a).value
//# file-matches: found ^local\nd\nb$
//# warning: calls: no such symbol: missing
//# warning: main.o: unable to order absolute symbol: number
//# @hfsort peers: lld
//# @listed peers:
.globl _start, a, b, c, d, number
number = 4
.section .text.a,"ax"
_start:
a: ret
.section .text.b,"ax"
b: ret
.section .text.c,"ax"
c: ret
.section .text.d,"ax"
d: ret
local: ret
.section .data.x,"aw"
.globl x
x: .byte 1
.section .note.GNU-stack,"",@progbits
//# file: calls
# from to count
local b 100

a x 1000
a missing 1
number a 1
//# file: list
c
