# A call that leaves the module and is followed by no nop is refused: r2 would not be restored.
//# driver: ld
//# shared: libother.so other.o
//# link: -e _start main.o libother.so
//# expect-error: nop
//# peers: ld lld
.abiversion 2
.globl _start
_start:
  addis 2,12,.TOC.-_start@ha
  addi 2,2,.TOC.-_start@l
  .localentry _start,.-_start
  bl other
  li 0,1
  sc
//# file: other.s
.abiversion 2
.globl other
.type other,@function
other: blr
