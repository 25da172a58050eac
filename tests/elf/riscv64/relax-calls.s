# A call of two instructions becomes a jump where that reaches, of two bytes if it keeps no return
# address; --no-relax and code without the mark keep both.
//# driver: ld
//# variant: relaxed:
//# variant: kept: --no-relax
//# link: -e _start --section-start=.far=0x400000
//# run: exit=7
//# @relaxed disasm: _start jal
//# @relaxed disasm: _start auipc
//# @relaxed symbol: _start size=24
//# @relaxed symbol: near size=4
//# @relaxed symbol: marked size=8
//# @kept symbol: _start size=28
//# @kept symbol: near size=10
//# peers: ld lld
.globl _start, far
_start:
  li a0, 1
  call near
  call far
  li a7, 93
  ecall
  nop
.size _start, . - _start
near:
  addi a0, a0, 2
  tail marked
.size near, . - near
.option push
.option norelax
marked:
  tail out
.size marked, . - marked
.option pop
out: ret
.section .far,"ax"
far: addi a0, a0, 4
  ret
