// Equal strings of mergeable sections become one.
//# link: -static
//# contains: .rodata "hello" count=1
//# contains: .rodata "world" count=1
//# word: symbol(place).value = symbol(b).value
.globl _start
_start: ret
.data
place: .dc.a a
.section .rodata.str1.1,"aMS",@progbits,1
a: .string "hello"
.section .note.GNU-stack,"",@progbits
//# file: b.s
.section .rodata.str1.1,"aMS",@progbits,1
.globl b
x: .string "world"
b: .string "hello"
.section .note.GNU-stack,"",@progbits
