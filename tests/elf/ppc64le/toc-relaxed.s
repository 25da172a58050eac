# The address of a symbol of this output is not loaded from the TOC, unless code of the section uses
# the entry in another way.
//# driver: ld
//# variant: relaxed:
//# variant: kept: --no-relax
//# variant: kept-toc: --no-toc-optimize
//# link: -e _start
//# run: exit=43
//# @relaxed no-disasm: _start ld
//# @kept,kept-toc disasm: _start ld r3
//# disasm: other ld r4
//# peers: none
.abiversion 2
.globl _start
_start:
  addis 2,12,.TOC.-_start@ha
  addi 2,2,.TOC.-_start@l
  .localentry _start,.-_start
  addis 3,2,.Lentry@toc@ha
  ld 3,.Lentry@toc@l(3)
  lwz 3,0(3)
  bl other
  add 3,3,4
  li 0,1
  sc
.section .text.other,"ax"
other:
  addis 4,2,.Lentry@toc@ha
  ld 4,.Lentry@toc@l(4)
  addis 5,2,.Lentry@toc@ha
  addi 5,5,.Lentry@toc@l
  ld 5,0(5)
  cmpd 4,5
  li 4,1
  beqlr
  li 4,0
  blr
.section .toc,"aw"
.Lentry: .quad value
.data
.zero 8
value: .long 42
