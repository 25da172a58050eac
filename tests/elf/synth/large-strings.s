// Strings of a section that is written in several windows are whole, and equal ones become one.
//# variant: plain: -static
//# variant: tails: -static -O2
//# contains: .rodata "xn0y" count=1
//# contains: .rodata "xn1500y" count=1
//# contains: .rodata "xn2999y" count=1
//# contains: .rodata "the last" count=1
//# section: .rodata size>=3000000
//# word: symbol(place).value = symbol(b).value
//# word: symbol(place).value+1word = symbol(middle).value
//# bytes: symbol(middle).value = 6e 31 35 30 30 79 00
.globl _start, middle
.altmacro
.macro numbered number
    .fill 1000, 1, 'x'
    .if \number == 1500
    middle:
    .endif
    .asciz "n\number\()y"
.endm
_start: ret
.data
place: .dc.a a, middle
.section .rodata.str1.1,"aMS",@progbits,1
.set i, 0
.rept 3000
    numbered %i
    .set i, i+1
.endr
a: .string "the last"
.section .note.GNU-stack,"",@progbits
//# file: b.s
.section .rodata.str1.1,"aMS",@progbits,1
.globl b
x: .string "another"
b: .string "the last"
.section .note.GNU-stack,"",@progbits
