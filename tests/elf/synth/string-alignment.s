// A merged string keeps the largest alignment that its sections ask for.
//# link: -static
//# symbol: b value%16
//# contains: .rodata "aligned" count=2
.globl _start
_start: ret
.data
place: .dc.a a, b
.section .rodata.str1.1,"aMS",@progbits,1
a: .string "aligned"
.section .rodata.str1.16,"aMS",@progbits,1
.balign 16
.string "first"
.balign 16
.globl b
b: .string "aligned"
.section .note.GNU-stack,"",@progbits
