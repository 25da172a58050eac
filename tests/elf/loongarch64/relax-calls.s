# A call of two instructions becomes a branch where that reaches; --no-relax and code without the
# mark keep both.
//# driver: ld
//# variant: relaxed:
//# variant: kept: --no-relax
//# link: -e _start --section-start=.far=0x130000000
//# run: exit=7
//# @relaxed disasm: _start bl -?\w+ <near>
//# @relaxed disasm: _start pcaddu18i
//# @relaxed symbol: _start size=24
//# @relaxed symbol: near size=8
//# @relaxed symbol: plain size=12
//# @relaxed disasm: near b \d+ <plain>
//# @kept no-disasm: * \bbl\b
//# @kept symbol: _start size=28
//# @kept symbol: near size=12
//# peers: none
.macro calls36 function
  pcaddu18i $ra, %call36(\function)
  .reloc .-4, R_LARCH_RELAX
  jirl $ra, $ra, 0
.endm
.globl _start, far, near, plain, back
_start:
  li.w $a0, 1
  calls36 near
  calls36 far
  li.w $a7, 93
  syscall 0
.size _start, . - _start
near:
  addi.d $a0, $a0, 2
  pcaddu18i $t0, %call36(plain)
  .reloc .-4, R_LARCH_RELAX
  jirl $zero, $t0, 0
.size near, . - near
plain:
  pcaddu18i $t0, %call36(back)
  jirl $zero, $t0, 0
back:
  ret
.size plain, . - plain
.section .far, "ax"
far:
  addi.d $a0, $a0, 4
  ret
