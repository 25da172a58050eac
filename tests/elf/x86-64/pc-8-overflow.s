// R_X86_64_PC8 out of range is an error.
//# link: -static
//# expect-error: R_X86_64_PC8
.globl _start
_start: ret
.section .text.b,"ax",@progbits
  .zero 1000
  .byte _start - .
.section .note.GNU-stack,"",@progbits
