# Conditional branches have hints, and those out of reach go through a thunk that is near.
//# driver: ld
//# link: -e _start --section-start=.far=0x20000000
//# run: exit=42
//# peers: ld
.abiversion 2
.globl _start
_start:
  addis 2,12,.TOC.-_start@ha
  addi 2,2,.TOC.-_start@l
  .localentry _start,.-_start
  li 3,0
  cmpdi 3,0
  beq+ far
  li 3,1
  li 0,1
  sc
.section .far,"ax"
far:
  li 3,42
  li 0,1
  sc
.section .toc,"aw"
  .quad 0
