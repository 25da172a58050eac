# A call from one output section into another becomes a jump however much other code may still lose:
# what the options do not pin moves together.
//# driver: ld
//# variant: free:
//# variant: pinned: --section-start=.init=0x400000
//# link: -e _start
//# run: exit=7
//# @free symbol: _start size=14
//# @pinned symbol: _start size=18
//# @free peers: ld lld
.globl _start
_start:
  li a0, 3
  call other
  li a7, 93
  ecall
  .size _start, . - _start
.rept 700
  .p2align 11
  ret
.endr
.section .init,"ax"
other: addi a0, a0, 4
  ret
