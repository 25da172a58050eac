# A word of the GOT has the offset in the module's block.
//# driver: ld
//# link: -e _start
//# run: exit=7
//# peers: ld lld
.abiversion 2
.globl _start
_start:
  addis 2,12,.TOC.-_start@ha
  addi 2,2,.TOC.-_start@l
  .localentry _start,.-_start
  ld 3,second@got@dtprel(2)
  addis 4,2,second@got@dtprel@ha
  ld 4,second@got@dtprel@l(4)
  addi 3,3,0x4000
  addi 3,3,0x4000
  addi 4,4,0x4000
  addi 4,4,0x4000
  add 3,3,4
  addi 3,3,-1
  li 0,1
  sc
.section .tdata,"awT",@progbits
  .long 1
second: .long 2
