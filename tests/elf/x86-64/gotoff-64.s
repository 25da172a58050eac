// R_X86_64_GOTOFF64: S + A - GOT, with R_X86_64_GOTPC64 and R_X86_64_GOTPC32 for the GOT itself.
//# link: -static
//# word64: symbol(offset).value = symbol(value).value-symbol(_GLOBAL_OFFSET_TABLE_).value+8
//# word64: symbol(base).value = symbol(_GLOBAL_OFFSET_TABLE_).value-symbol(base).value
//# word32: symbol(_start).value+3 = symbol(_GLOBAL_OFFSET_TABLE_).value-symbol(_start).value-7
.globl _start
_start: lea _GLOBAL_OFFSET_TABLE_(%rip), %rbx
.data
.globl value
value: .quad 0
offset: .quad value@GOTOFF + 8
base: .quad _GLOBAL_OFFSET_TABLE_ - .
.section .note.GNU-stack,"",@progbits
