# Descriptors of a program's own variables become offsets, which need no loader; what is not needed
# goes if it has a mark, and is no operation otherwise.
//# driver: ld
//# variant: relaxed:
//# variant: kept: --no-relax
//# link: -e _start
//# run: exit=40
//# @relaxed symbol: near size=16
//# @kept symbol: near size=28
//# @relaxed symbol: far size=20
//# symbol: plain size=28
//# disasm: plain nop.*\n.*nop.*\n.*nop.*\n.*ori \$a0, \$zero, 8
//# disasm: far lu12i.w \$a0, 1.*\n.*ori \$a0, \$a0, 16
//# symbol: short size=24
//# no-section: .got
//# peers: none
.macro marked insn:vararg
  \insn
  .reloc .-4, R_LARCH_RELAX
.endm
.macro descriptor variable
  marked pcalau12i $a0, %desc_pc_hi20(\variable)
  marked addi.d $a0, $a0, %desc_pc_lo12(\variable)
  marked ld.d $ra, $a0, %desc_ld(\variable)
  marked jirl $ra, $ra, %desc_call(\variable)
.endm
.macro sums
  ldx.bu $a0, $tp, $a0
  add.d $s0, $s0, $a0
  jr $t8
.endm
.globl _start, near, far, plain, short, one, other
_start:
  la.pcrel $tp, block
  li.w $s0, 0
  pcaddi $t8, 2
  b near
  pcaddi $t8, 2
  b far
  pcaddi $t8, 2
  b plain
  pcaddi $t8, 2
  b short
  move $a0, $s0
  li.w $a7, 93
  syscall 0
near:
  descriptor one
  sums
.size near, . - near
far:
  descriptor other
  sums
.size far, . - far
plain:
  la.tls.desc $a0, one
  sums
.size plain, . - plain
short:
  pcaddi $a0, %desc_pcrel_20(other)
  ld.d $ra, $a0, %desc_ld(other)
  jirl $ra, $ra, %desc_call(other)
  sums
.size short, . - short
.section .tdata, "awT"
  .8byte 0
one: .byte 10
  .zero 0x1007
other: .byte 10
.data
block:
  .8byte 0
  .byte 10
  .zero 0x1007
  .byte 10
