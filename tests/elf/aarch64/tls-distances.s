// Distances from the thread's block (DTPREL) and from the thread pointer (TPREL, the block begins 16 bytes
// behind it), and initial exec by MOVW and by LDR (literal), which keep their words of the GOT.
//# peers: ld
//# link: -static
//# disasm: block movz x0, #0x0, lsl #32\n.*movk x0, #0x34, lsl #16\n.*movk x0, #0x5680\n.*mov x1, #0x340000.*\n.*movk x1, #0x5680\n.*mov x2, #0x120 
//# disasm: block add x3, x0, #0x345\n.*add x3, x3, #0x680\n
//# disasm: block ldrb w4, \[x3, #288\]\n.*ldrb w4, \[x3, #1664\]\n.*ldrh w4, \[x3, #288\]\n.*ldrh w4, \[x3, #1664\]\n.*ldr w4, \[x3, #288\]\n.*ldr w4, \[x3, #1664\]\n.*ldr x4, \[x3, #288\]\n.*ldr x4, \[x3, #1664\]
//# disasm: pointer mov x5, #0x340000.*\n.*movk x5, #0x5690\n.*mov x5, #0x130 
//# disasm: pointer ldrb w6, \[x3, #1680\]\n.*ldrh w6, \[x3, #1680\]\n.*ldr w6, \[x3, #1680\]\n.*ldr x6, \[x3, #1680\]
//# disasm: got movz x7, #0x0, lsl #16\n.*movk x7, #0x8\n.*ldr x7, [0-9a-f]+
//# word64: section(.got).address+8 = 0x345690
.globl _start
_start: ret
block:
  movz x0, #:dtprel_g2:wide
  movk x0, #:dtprel_g1_nc:wide
  movk x0, #:dtprel_g0_nc:wide
  movz x1, #:dtprel_g1:wide
  movk x1, #:dtprel_g0_nc:wide
  movz x2, #:dtprel_g0:close
  add x3, x0, #:dtprel_hi12:wide
  add x3, x3, #:dtprel_lo12_nc:wide
  ldrb w4, [x3, :dtprel_lo12:close]
  ldrb w4, [x3, :dtprel_lo12_nc:wide]
  ldrh w4, [x3, :dtprel_lo12:close]
  ldrh w4, [x3, :dtprel_lo12_nc:wide]
  ldr w4, [x3, :dtprel_lo12:close]
  ldr w4, [x3, :dtprel_lo12_nc:wide]
  ldr x4, [x3, :dtprel_lo12:close]
  ldr x4, [x3, :dtprel_lo12_nc:wide]
.size block, . - block
pointer:
  movz x5, #:tprel_g1:wide
  movk x5, #:tprel_g0_nc:wide
  movz x5, #:tprel_g0:close
  ldrb w6, [x3, :tprel_lo12_nc:wide]
  ldrh w6, [x3, :tprel_lo12_nc:wide]
  ldr w6, [x3, :tprel_lo12_nc:wide]
  ldr x6, [x3, :tprel_lo12_nc:wide]
.size pointer, . - pointer
got:
  movz x7, #:gottprel_g1:wide
  movk x7, #:gottprel_g0_nc:wide
  ldr x7, :gottprel:wide
.size got, . - got
.section .tbss,"awT",@nobits
.balign 16
.zero 0x120
close: .zero 0x345560
wide: .zero 16
.section .note.GNU-stack,"",@progbits
