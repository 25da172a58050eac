# A jump by register that is hinted to lead to a near function becomes a branch, and one to a far
# function stays.
//# driver: ld
//# link: -e __start
//# run: exit=3
//# disasm: __start bal
//# disasm: __start jalr t9
//# peers: ld lld
.set noreorder
.globl __start
.ent __start
__start:
  bal 1f
  nop
1:
  lui $28, %hi(%neg(%gp_rel(1b)))
  daddiu $28, $28, %lo(%neg(%gp_rel(1b)))
  daddu $28, $28, $31
  li $4, 0
  ld $25, %call16(near)($28)
  .reloc 9f, R_MIPS_JALR, near
9:jalr $25
  nop
  ld $25, %call16(far)($28)
  .reloc 9f, R_MIPS_JALR, far
9:jalr $25
  nop
  li $2, 5058
  syscall
.end __start
.globl near
near:
  jr $31
  addiu $4, $4, 1
  .space 0x40000
.globl far
far:
  jr $31
  addiu $4, $4, 2
