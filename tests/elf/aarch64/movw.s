// MOVZ, MOVK and MOVN: R_AARCH64_MOVW_UABS_G0 to G3, the forms without check, SABS and PREL.
//# peers: ld
//# link: -static -Ttext=0x10000 --defsym=wide=0x123456789abcdef0 --defsym=half=0x9abc --defsym=minus=-0x5433
//# disasm: _start movz? x0, #0x1234000000000000
//# disasm: _start movk x0, #0x5678, lsl #32
//# disasm: _start movk x0, #0x9abc, lsl #16
//# disasm: _start movk x0, #0xdef0
//# disasm: _start movz? x1, #0x9abc
//# disasm: _start movn? x2, #(0x5432|0xffffffffffffabcd)
//# disasm: _start movz? x3, #0x9abc
//# disasm: _start movz? x4, #0x8
//# disasm: _start movn x5, #0x0, lsl #16
//# disasm: _start movk x5, #0xffd8
.globl _start, wide, half, minus
_start:
  movz x0, #:abs_g3:wide
  movk x0, #:abs_g2_nc:wide
  movk x0, #:abs_g1_nc:wide
  movk x0, #:abs_g0_nc:wide
  movz x1, #:abs_g0:half
  movz x2, #:abs_g0_s:minus
  movn x3, #:abs_g0_s:half
  movz x4, #:prel_g0:.Lnext
  nop
.Lnext:
  movz x5, #:prel_g1:_start
  movk x5, #:prel_g0_nc:_start
.size _start, . - _start
.section .note.GNU-stack,"",@progbits
