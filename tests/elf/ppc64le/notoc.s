# Code without a TOC calls functions that need one at their global entry, with its address in r12,
# and code with a TOC has it restored after calls of functions that change r2.
//# driver: ld
//# variant: old: main.o
//# variant: new: main.o long.o
//# link: -e _start
//# run: exit=42 env=QEMU_CPU=power10
//# peers: ld
.abiversion 2
.globl _start
_start:
  addis 2,12,.TOC.-_start@ha
  addi 2,2,.TOC.-_start@l
  .localentry _start,.-_start
  mr 31,2
  bl changes
  nop
  cmpd 31,2
  bne wrong
  li 2,0
  bl needs@notoc
  li 0,1
  sc
wrong:
  li 3,1
  li 0,1
  sc
.globl changes
changes:
  .localentry changes,1
  li 2,0
  blr
.globl needs
needs:
  addis 2,12,.TOC.-needs@ha
  addi 2,2,.TOC.-needs@l
  .localentry needs,.-needs
  addis 3,2,value@toc@ha
  lwz 3,value@toc@l(3)
  blr
.data
value: .long 42
//# file: long.s
.machine power10
.abiversion 2
unused:
  pld 3,unused@got@pcrel
  blr
