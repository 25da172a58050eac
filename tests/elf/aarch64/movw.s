// MOVZ, MOVK and MOVN: R_AARCH64_MOVW_UABS_G0 to G3, the forms without check, SABS and PREL; ADR_PREL_PG_HI21_NC, which is cut.
//# peers: ld
//# link: -static -Ttext=0x10000 --defsym=wide=0x123456789abcdef0 --defsym=half=0x9abc --defsym=minus=-0x5433
//# link: --defsym=minus32=-0x12345679 --defsym=plus32=0x12345678 --defsym=minus48=-0x123456789abd
//# link: --defsym=far=0x712345688abc --defsym=back=-0x400000000000
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
//# disasm: signed mov x6, #0xffffffffedcbffff.*\n.*mov x6, #0x12340000.*\n.*mov x7, #0xffffedcbffffffff.*\n.*movk x7, #0xa987, lsl #16
//# disasm: distances movz x8, #0x0, lsl #48\n.*movk x8, #0x7123, lsl #32\n.*movk x8, #0x4567, lsl #16\n.*mov x9, #0x712300000000.*\n.*mov x9, #0xffffbfffffffffff.*\n.*adrp x10, ffffffff45688000
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
signed:
  movz x6, #:abs_g1_s:minus32
  movz x6, #:abs_g1_s:plus32
  movz x7, #:abs_g2_s:minus48
  movk x7, #:abs_g1_nc:minus48
.size signed, . - signed
distances:
  movz x8, #:prel_g3:far
  movk x8, #:prel_g2_nc:far
  movk x8, #:prel_g1_nc:far
  movz x9, #:prel_g2:far
  movn x9, #:prel_g2:back
  adrp x10, :pg_hi21_nc:far
.size distances, . - distances
.section .note.GNU-stack,"",@progbits
