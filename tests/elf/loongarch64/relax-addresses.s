# An address of two instructions becomes `pcaddi` where that reaches; a load from the GOT too, and
# if it has no mark, or the address is odd, an addition. No word of the GOT is left.
//# driver: ld
//# variant: relaxed:
//# variant: pie: -pie --no-dynamic-linker
//# variant: kept: --no-relax
//# link: -e _start
//# @relaxed,kept run: exit=45
//# @relaxed symbol: _start size=44
//# @pie symbol: _start size=44
//# @kept symbol: _start size=52
//# @relaxed,pie disasm: _start pcaddi \$a0.*\n.*ld.bu \$a0
//# @relaxed,pie disasm: _start pcaddi \$a1.*\n.*ld.bu \$a1
//# @relaxed,pie disasm: _start pcalau12i \$a2.*\n.*addi.d \$a2, \$a2
//# @relaxed,pie disasm: _start pcalau12i \$a3.*\n.*addi.d \$a3, \$a3
//# @relaxed,pie no-section: .got
//# @kept disasm: _start ld.d \$a1
.macro marked insn:vararg
  \insn
  .reloc .-4, R_LARCH_RELAX
.endm
.globl _start, here, there
_start:
  marked pcalau12i $a0, %pc_hi20(here)
  marked addi.d $a0, $a0, %pc_lo12(here)
  ld.bu $a0, $a0, 0
  marked pcalau12i $a1, %got_pc_hi20(here)
  marked ld.d $a1, $a1, %got_pc_lo12(here)
  ld.bu $a1, $a1, 0
  pcalau12i $a2, %got_pc_hi20(there)
  ld.d $a2, $a2, %got_pc_lo12(there)
  marked pcalau12i $a3, %pc_hi20(odd)
  marked addi.d $a3, $a3, %pc_lo12(odd)
  ld.bu $a2, $a2, 0
  ld.bu $a3, $a3, 0
  b sum
.size _start, . - _start
sum:
  add.d $a0, $a0, $a1
  add.d $a0, $a0, $a2
  add.d $a0, $a0, $a3
  li.w $a7, 93
  syscall 0
.data
.balign 4
here: .byte 11
odd: .byte 13
.balign 4
there: .byte 10
