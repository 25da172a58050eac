// Sections that addresses of 32 bits do not reach are an error.
//# link: -Ttext=0xfffffff0
//# expect-error: section .text at 0xfffffff0 of size 0x20 exceeds available address space
.globl _start
_start: .zero 32
.section .note.GNU-stack,"",@progbits
