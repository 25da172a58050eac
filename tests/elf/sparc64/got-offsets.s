# Offsets of words in the GOT have 13 bits, or 22 and 10.
//# driver: ld
//# compile: -fno-pic
//# link: -e _start
//# run: exit=3
//# word64: section(.got).address+8 = symbol(a).value
//# word64: section(.got).address+16 = symbol(b).value
//# peers: ld
.register %g2, #scratch
.globl _start, a, b
_start:
  sethi %hi(_GLOBAL_OFFSET_TABLE_), %l7
  or %l7, %lo(_GLOBAL_OFFSET_TABLE_), %l7
  .reloc ., R_SPARC_GOT13, a
  ldx [%l7 + 0], %g1
  .reloc ., R_SPARC_GOT22, b
  sethi 0, %g2
  .reloc ., R_SPARC_GOT10, b
  or %g2, 0, %g2
  ldx [%l7 + %g2], %g2
  lduw [%g1], %o0
  lduw [%g2], %g2
  add %o0, %g2, %o0
  mov 1, %g1
  ta 0x6d
.data
a: .word 1
b: .word 2
