# Conditional branches out of reach go through a thunk that is near.
//# driver: ld
//# link: -e _start --section-start=.far=0x20000000
//# run: exit=42
//# peers: ld
.globl _start
_start:
  li 3,0
  cmpwi 3,0
  beq+ far
  li 3,1
  li 0,1
  sc
.section .far,"ax"
far:
  li 3,2
  cmpwi 3,41
  .reloc ., R_PPC_REL14_BRNTAKEN, end
  bne 0
  li 3,1
end:
  li 3,42
  li 0,1
  sc
