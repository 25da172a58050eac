// --noinhibit-exec turns references into a group that another file provides into warnings.
//# link: -static main.o other.o --noinhibit-exec
//# warning: discarded section
//# symbol: _start
.section .text.f,"axG",@progbits,f,comdat
.globl f
f: ret
.text
.globl _start
_start: ret
//# file: other.s
.section .text.f,"axG",@progbits,f,comdat
.globl f
f: nop
local: ret
.data
.dc.a local
.section .note.GNU-stack,"",@progbits
