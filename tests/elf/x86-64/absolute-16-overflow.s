// R_X86_64_16 and R_X86_64_8 out of range are errors.
//# variant: short: --defsym=a=0x10000 --defsym=b=0
//# variant: byte: --defsym=a=0 --defsym=b=0x100
//# link: -static
//# @short expect-error: R_X86_64_16
//# @byte expect-error: R_X86_64_8
.globl _start
_start: ret
.data
  .short a
  .byte b
.section .note.GNU-stack,"",@progbits
