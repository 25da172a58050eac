# Data near the global pointer is reached from it, and an address below 2 KiB from zero.
//# driver: ld
//# variant: relaxed:
//# variant: kept: --no-relax
//# variant: far: --no-relax-gp
//# link: -e _start --defsym=small=0x7c0
//# run: exit=42
//# @relaxed disasm: _start \(gp\)
//# @kept,far no-disasm: _start lw.*\(gp\)
//# peers: ld
.globl _start
_start:
.option push
.option norelax
  la gp, __global_pointer$
.option pop
  lw a0, near
  lui a1, %hi(small)
  addi a1, a1, %lo(small)
  li a2, 0x7c0
  bne a1, a2, wrong
  sw a0, written, t0
  lla a3, written
  lw a0, 0(a3)
wrong:
  li a7, 93
  ecall
.section .sdata,"aw"
.zero 64
near: .word 42
.section .sbss,"aw",@nobits
written: .zero 4
