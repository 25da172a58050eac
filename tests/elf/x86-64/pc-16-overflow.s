// R_X86_64_PC16 out of range is an error.
//# link: -static
//# expect-error: R_X86_64_PC16
.globl _start
_start: ret
.section .text.b,"ax",@progbits
  .zero 100000
  .short _start - .
.section .note.GNU-stack,"",@progbits
