# A program's own offsets from the thread pointer are no words of the GOT, with a mark or without,
# but with an address of 64 bits.
//# driver: ld
//# variant: relaxed:
//# variant: kept: --no-relax
//# link: -e _start
//# run: exit=30
//# symbol: near size=20
//# disasm: near nop.*\n.*ori \$a1, \$zero, 8
//# @relaxed symbol: marked size=16
//# @relaxed disasm: marked ori \$a1, \$zero, 8
//# disasm: far lu12i.w \$a1, 1.*\n.*ori \$a1, \$a1, 16
//# disasm: whole pcalau12i \$t0
//# section: .got size>=16
//# peers: none
.globl _start, near, marked, far, whole, one, other
_start:
  la.pcrel $tp, block
  li.w $a0, 0
  bl near
  bl marked
  bl far
  bl whole
  li.w $a7, 93
  syscall 0
near:
  pcalau12i $a1, %ie_pc_hi20(one)
  ld.d $a1, $a1, %ie_pc_lo12(one)
  ldx.bu $a1, $tp, $a1
  add.d $a0, $a0, $a1
  ret
.size near, . - near
marked:
  pcalau12i $a1, %ie_pc_hi20(one)
  .reloc .-4, R_LARCH_RELAX
  ld.d $a1, $a1, %ie_pc_lo12(one)
  .reloc .-4, R_LARCH_RELAX
  ldx.bu $a1, $tp, $a1
  add.d $a0, $a0, $a1
  ret
.size marked, . - marked
far:
  pcalau12i $a1, %ie_pc_hi20(other)
  ld.d $a1, $a1, %ie_pc_lo12(other)
  ldx.bu $a1, $tp, $a1
  add.d $a0, $a0, $a1
  ret
whole:
  pcalau12i $t0, %ie_pc_hi20(other)
  addi.d $t1, $zero, %ie_pc_lo12(other)
  lu32i.d $t1, %ie64_pc_lo20(other)
  lu52i.d $t1, $t1, %ie64_pc_hi12(other)
  ldx.d $a1, $t0, $t1
  ldx.bu $a1, $tp, $a1
  add.d $a0, $a0, $a1
  ret
.section .tdata, "awT"
  .8byte 0
one: .byte 5
  .zero 0x1007
other: .byte 10
.data
block:
  .8byte 0
  .byte 5
  .zero 0x1007
  .byte 10
