// Gaps in code are filled so that they can be run over or trapped, gaps in data with zeros.
//# link: -static
//# symbol: b value=symbol(a).value+64
//# bytes: symbol(a).value = 01 00 00 00 00 00 00 00
.globl _start, a, b
_start: ret
.section .data.a,"aw"
.balign 64
a: .byte 1
.section .data.b,"aw"
.balign 64
b: .byte 2
.section .note.GNU-stack,"",@progbits
