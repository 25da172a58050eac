# Loads of addresses from the GOT become additions of distances from it, on either side; --no-relax
# keeps those of global symbols, as local ones have an addend and no word.
//# driver: ld
//# variant: fixed:
//# variant: pie: -pie --no-dynamic-linker
//# variant: kept: --no-relax
//# link: -e _start
//# @fixed,kept run: exit=15
//# @fixed,pie disasm: relaxed add %l7, %g2, %g2
//# @kept disasm: relaxed ldx
//# disasm: local add %l7, %g2, %g2
//# peers: none
.register %g2, #scratch
.globl _start, global
_start:
  sethi %hi(_GLOBAL_OFFSET_TABLE_-4), %l7
  call thunk
  add %l7, %lo(_GLOBAL_OFFSET_TABLE_+4), %l7
  mov 0, %o0
relaxed:
  sethi %gdop_hix22(global), %g2
  xor %g2, %gdop_lox10(global), %g2
  ldx [%l7 + %g2], %g2, %gdop(global)
  lduw [%g2], %g1
  add %o0, %g1, %o0
local:
  sethi %gdop_hix22(second), %g2
  xor %g2, %gdop_lox10(second), %g2
  ldx [%l7 + %g2], %g2, %gdop(second)
  lduw [%g2], %g1
  add %o0, %g1, %o0
  sethi %gdop_hix22(constant), %g2
  xor %g2, %gdop_lox10(constant), %g2
  ldx [%l7 + %g2], %g2, %gdop(constant)
  lduw [%g2], %g1
  add %o0, %g1, %o0
  sethi %gdop_hix22(nowhere), %g2
  xor %g2, %gdop_lox10(nowhere), %g2
  ldx [%l7 + %g2], %g2, %gdop(nowhere)
  add %o0, %g2, %o0
  mov 1, %g1
  ta 0x6d
thunk:
  retl
  add %o7, %l7, %l7
.weak nowhere
.hidden nowhere
.section .rodata,"a"
  .word 0
constant: .word 12
.data
global: .word 1
second: .word 2
