# Instructions of an offset from the thread pointer go where its lower part is all of it: in the
# sequence of three, the older one of two, and its upper halves.
//# driver: ld
//# variant: relaxed:
//# variant: kept: --no-relax
//# link: -e _start
//# run: exit=30
//# @relaxed symbol: near size=24
//# @kept symbol: near size=44
//# @relaxed symbol: far size=44
//# @kept symbol: far size=44
//# @relaxed disasm: near ld.bu \$a1, \$tp, 1\n
//# @relaxed disasm: near ori \$a1, \$zero, 1\n
//# @relaxed disasm: far ori \$a1, \$a1
//# peers: lld
.macro marked insn:vararg
  \insn
  .reloc .-4, R_LARCH_RELAX
.endm
.macro offsets variable
  marked lu12i.w $a1, %le_hi20_r(\variable)
  marked add.d $a1, $a1, $tp, %le_add_r(\variable)
  marked ld.bu $a1, $a1, %le_lo12_r(\variable)
  add.d $a0, $a0, $a1
  marked lu12i.w $a1, %le_hi20(\variable)
  marked ori $a1, $a1, %le_lo12(\variable)
  marked lu32i.d $a1, %le64_lo20(\variable)
  marked lu52i.d $a1, $a1, %le64_hi12(\variable)
  ldx.bu $a1, $tp, $a1
  add.d $a0, $a0, $a1
  ret
.endm
.globl _start, near, far, one, other
_start:
  la.pcrel $tp, block
  li.w $a0, 0
  bl near
  bl far
  li.w $a7, 93
  syscall 0
near: offsets one
.size near, . - near
far: offsets other
.size far, . - far
.section .tdata, "awT"
  .byte 0
one: .byte 5
  .zero 0x1ffe
other: .byte 10
.data
block:
  .byte 0, 5
  .zero 0x1ffe
  .byte 10
