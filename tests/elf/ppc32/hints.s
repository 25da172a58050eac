# Conditional branches are predicted by their direction, or the other way.
//# driver: ld
//# link: -e _start --section-start=.back=0x10000000 --section-start=.text=0x10001000 --section-start=.on=0x10002000
//# bytes: section(.text).address = 41 a2 10 00 41 82 0f fc 42 00 ef f8 42 20 ef f4 41 a2 0f f0
//# peers: ld
.globl _start
_start:
  .reloc ., R_PPC_REL14_BRTAKEN, on
  beq 0
  .reloc ., R_PPC_REL14_BRNTAKEN, on
  beq 0
  .reloc ., R_PPC_REL14_BRTAKEN, back
  bdnz 0
  .reloc ., R_PPC_REL14_BRNTAKEN, back
  bdnz 0
  beq+ on
.section .on,"ax"
on: nop
.section .back,"ax"
back: nop
