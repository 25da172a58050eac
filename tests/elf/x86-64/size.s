// R_X86_64_SIZE32 and R_X86_64_SIZE64: Z + A.
//# link: -static
//# word32: symbol(four).value = 13
//# word64: symbol(eight).value = 9
.globl _start
_start: ret
.data
.globl object
.type object, @object
.size object, 12
object: .zero 12
.balign 8
four: .long object@SIZE + 1
eight: .quad object@SIZE - 3
.section .note.GNU-stack,"",@progbits
