// Local exec: R_AARCH64_TLSLE_ADD_TPREL_HI12, LO12, LO12_NC, LDST8 to LDST64, and MOVW_TPREL_G2 to G0. The
// block begins 16 bytes behind the thread pointer, or farther if it is aligned so.
//# link: -static
//# disasm: _start add x0, x0, #0x1, lsl #12
//# disasm: _start add x0, x0, #0x30
//# disasm: _start add x1, x1, #0x20
//# disasm: _start ldrb w2, \[x1, #32\]
//# disasm: _start ldrh w2, \[x1, #32\]
//# disasm: _start ldr w2, \[x1, #32\]
//# disasm: _start ldr x2, \[x1, #32\]
//# disasm: _start movz? x3, #0x0, lsl #32
//# disasm: _start movk x3, #0x0, lsl #16
//# disasm: _start movk x3, #0x1030
//# peers: none
.globl _start
_start:
  add x0, x0, #:tprel_hi12:far
  add x0, x0, #:tprel_lo12_nc:far
  add x1, x1, #:tprel_lo12:near
  ldrb w2, [x1, #:tprel_lo12:near]
  ldrh w2, [x1, #:tprel_lo12:near]
  ldr w2, [x1, #:tprel_lo12:near]
  ldr x2, [x1, #:tprel_lo12_nc:near]
  movz x3, #:tprel_g2:far
  movk x3, #:tprel_g1_nc:far
  movk x3, #:tprel_g0_nc:far
.size _start, . - _start
.section .tdata,"awT",@progbits
.balign 32
near: .xword 1
.skip 0x1008
far: .xword 2
.section .note.GNU-stack,"",@progbits
