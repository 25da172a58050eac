// Equal constants of one size become one.
//# link: -static
//# section: .rodata size=24
//# word: symbol(place).value = symbol(b).value
.globl _start
_start: ret
.data
place: .dc.a a
.section .rodata.cst8,"aM",@progbits,8
a: .quad 0x1122334455667788
other: .quad 1
.section .note.GNU-stack,"",@progbits
//# file: b.s
.section .rodata.cst8,"aM",@progbits,8
.globl b
third: .quad 2
b: .quad 0x1122334455667788
.section .note.GNU-stack,"",@progbits
