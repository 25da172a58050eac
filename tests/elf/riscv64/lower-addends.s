# The addend of a lower part counts behind the label, as long as the upper part fits it.
//# driver: ld
//# variant: near: main.o
//# variant: kept: main.o --no-relax
//# variant: far: main.o --no-relax -Ttext=0x10000 -Tdata=0x107fc
//# link: -e _start
//# @near,kept run: exit=19
//# @far expect-error: relocation R_RISCV_PCREL_LO12_[IS] to symbol '\.L1.*' cannot have the addend
//# peers: none
.globl _start
_start:
.L1:
  auipc a5, %pcrel_hi(array)
  li a0, 7
  sw a0, %pcrel_lo(.L1+4)(a5)
  lw a1, %pcrel_lo(.L1+8)(a5)
  addi a2, a5, %pcrel_lo(.L1+12)
  lw a0, 0(a2)
  add a0, a0, a1
  lla a3, array
  lw a4, 4(a3)
  add a0, a0, a4
  li a7, 93
  ecall
.data
array: .word 1, 2, 4, 8
