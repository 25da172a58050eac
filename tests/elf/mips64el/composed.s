# Three types of one relocation: the distance from the global pointer, negated, and its halves. An
# object of -r keeps them.
//# driver: ld
//# variant: direct: -e __start
//# variant: again: -r
//# @direct run: exit=7
//# @again reloc: R_MIPS_GPREL16/R_MIPS_SUB/R_MIPS_HI16 section=.text
//# @again reloc: R_MIPS_GPREL16/R_MIPS_SUB/R_MIPS_LO16 section=.text
//# peers: ld
.set noreorder
.globl __start
__start:
  bal 1f
  nop
1:
  lui $28, %hi(%neg(%gp_rel(1b)))
  daddiu $28, $28, %lo(%neg(%gp_rel(1b)))
  daddu $28, $28, $31
  ld $5, %got_disp(value)($28)
  lw $4, 0($5)
  li $2, 5058
  syscall
.data
.globl value
value: .word 7
