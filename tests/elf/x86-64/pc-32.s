// R_X86_64_PC32 and R_X86_64_PC64: S + A - P.
//# variant: static: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# word32: symbol(near).value = symbol(_start).value-symbol(near).value+4
//# word64: symbol(far).value = symbol(_start).value-symbol(far).value-4
.globl _start
_start: ret
.data
near: .long _start - . + 4
far: .quad _start - . - 4
.section .note.GNU-stack,"",@progbits
