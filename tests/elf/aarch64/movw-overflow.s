// Values out of the range of a group are errors.
//# variant: g0: --defsym=a=0x10000
//# variant: g1: --defsym=b=0x100000000
//# variant: g2: --defsym=c=0x1000000000000
//# variant: signed: --defsym=d=-0x10001
//# link: -static --defsym=a=0 --defsym=b=0 --defsym=c=0 --defsym=d=0
//# @g0 expect-error: R_AARCH64_MOVW_UABS_G0
//# @g1 expect-error: R_AARCH64_MOVW_UABS_G1
//# @g2 expect-error: R_AARCH64_MOVW_UABS_G2
//# @signed expect-error: R_AARCH64_MOVW_SABS_G0
.globl _start
_start:
  movz x0, #:abs_g0:a
  movz x0, #:abs_g1:b
  movz x0, #:abs_g2:c
  movz x0, #:abs_g0_s:d
.section .note.GNU-stack,"",@progbits
