# Where 16 bits hold all of a distance or of an offset, no instruction adds an upper half.
//# driver: ld
//# variant: relaxed:
//# variant: kept: --no-relax
//# link: -e _start
//# run: exit=42
//# @relaxed no-disasm: _start addis r[34]
//# @kept disasm: _start addis r3,r2
//# @kept disasm: _start addis r4,r13
//# peers: ld lld
.abiversion 2
.globl _start
_start:
  addis 2,12,.TOC.-_start@ha
  addi 2,2,.TOC.-_start@l
  .localentry _start,.-_start
  addis 13,2,block@toc@ha
  addi 13,13,block@toc@l
  addis 13,13,1
  addi 13,13,-0x8000
  addi 13,13,-0x1000
  addis 3,2,near@toc@ha
  ld 3,near@toc@l(3)
  addis 4,13,variable@tprel@ha
  lwz 4,variable@tprel@l(4)
  add 3,3,4
  li 0,1
  sc
.section .toc,"aw"
near: .quad 40
.section .tdata,"awT",@progbits
variable: .long 2
.data
block: .long 2
