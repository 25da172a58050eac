// Sections are as aligned as they ask, up to the page and beyond it.
//# link: -static
//# symbol: a value%64
//# symbol: b value%0x10000
//# segment: LOAD align>=0x10000
.globl _start
_start: .quad a, b
.section .data.a,"aw"
.balign 64
a: .byte 1
.section .data.b,"aw"
.balign 0x10000
b: .byte 1
.section .note.GNU-stack,"",@progbits
