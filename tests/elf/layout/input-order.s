// Sections of one name stand in the order of the command line.
//# link: -static
//# symbol: a value<symbol(b).value
//# symbol: b value<symbol(c).value
.globl _start
.section own,"aw"
a: .quad 1
.text
_start: ret
.section own,"aw"
b: .quad 1
.section .note.GNU-stack,"",@progbits
//# file: c.s
.section own,"aw"
.globl c
c: .quad 1
.section .note.GNU-stack,"",@progbits
