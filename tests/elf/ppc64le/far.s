# A branch that does not reach goes through a thunk, from code with a TOC and from code without.
//# driver: ld
//# link: -e _start --section-start=.far=0x20000000
//# run: exit=42
//# disasm: _start bl
//# peers: ld
.abiversion 2
.globl _start
_start:
  addis 2,12,.TOC.-_start@ha
  addi 2,2,.TOC.-_start@l
  .localentry _start,.-_start
  li 3,0
  bl far
  bl plain@notoc
  li 0,1
  sc
.section .far,"ax"
far:
  addis 2,12,.TOC.-far@ha
  addi 2,2,.TOC.-far@l
  .localentry far,.-far
  addis 4,2,value@toc@ha
  lwz 4,value@toc@l(4)
  add 3,3,4
  blr
plain:
  addi 3,3,2
  blr
.data
value: .long 40
