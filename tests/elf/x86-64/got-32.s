// R_X86_64_GOT32: the entry's offset in the GOT, in a 32-bit field.
//# link: -static
//# word32: symbol(field).value+2 = section(.got).address-symbol(_GLOBAL_OFFSET_TABLE_).value
//# word64: section(.got).address = symbol(value).value
//# peers: none
.globl _start
_start: lea _GLOBAL_OFFSET_TABLE_(%rip), %rbx
field: mov value@GOT(%rbx), %eax
.data
value: .long 21
.section .note.GNU-stack,"",@progbits
