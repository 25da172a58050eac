# The upper half of an address below 2 KiB goes, also of zero: that of an absolute symbol, and of a weak
# one that nothing defines.
//# driver: ld
//# link: -e _start --defsym=nil=0 --defsym=small=0x7ff --defsym=above=0x800
//# run: exit=42
//# symbol: of_zero size=4
//# symbol: of_small size=4
//# symbol: of_weak size=4
//# symbol: beyond size=6
//# symbol: behind size=4
//# peers: ld
.globl _start
.weak nothing
.macro address name:req, symbol:req
\name:
  lui a1, %hi(\symbol)
  addi a1, a1, %lo(\symbol)
  .size \name, . - \name
.endm
_start:
  address of_zero, nil
  bnez a1, wrong
  address of_weak, nothing
  bnez a1, wrong
  address of_small, small
  addi a2, a1, -0x7ff
  bnez a2, wrong
  address behind, nil+4
  addi a2, a1, -4
  bnez a2, wrong
  address beyond, above
  addi a2, a1, -0x400
  addi a2, a2, -0x400
  bnez a2, wrong
  li a0, 42
wrong:
  li a7, 93
  ecall
