// Two objects have a group of the same name and not of the same content, as two versions of a header
// make them: what only the dropped copy defines must not become zero.
//# peers: none
//# link: -static
//# error-text: ld: error: relocation refers to a symbol in a discarded section: only_here()
//# error-text: >>> defined in other.o
//# error-text: >>> section group signature: shared()
//# error-text: >>> prevailing definition is in main.o
//# error-text: >>> referenced by other.o:(other)
//# error-text: >>> referenced by other.o:(table)
.include "machine.inc"
.section .text._Z6sharedv,"axG",@progbits,_Z6sharedv,comdat
.weak _Z6sharedv
_Z6sharedv: ret
.text
.globl _start
_start: calls _Z6sharedv
//# file: other.s
.include "machine.inc"
.section .text._Z6sharedv,"axG",@progbits,_Z6sharedv,comdat
.weak _Z6sharedv, _Z9only_herev
_Z6sharedv: ret
_Z9only_herev: ret
.text
.globl other
other: calls _Z9only_herev
.data
table: .dc.a _Z9only_herev
