// The members of a group live together.
//# link: -static --gc-sections
//# symbol: data_of_group
.include "machine.inc"
.text
.globl _start
_start: calls f
.section .text.f,"axG",@progbits,sig,comdat
f: ret
.section .data.f,"awG",@progbits,sig,comdat
data_of_group: .quad 1
.section .note.GNU-stack,"",@progbits
