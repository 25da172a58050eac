# A function may be called without a nop by the object that defines it, although another module's
# may take its place: the call is a direct one.
//# driver: ld
//# link: -shared
//# disasm: factorial bl .*factorial
//# peers: ld
.abiversion 2
.globl factorial
.type factorial, @function
factorial:
  addis 2,12,.TOC.-factorial@ha
  addi 2,2,.TOC.-factorial@l
  .localentry factorial,.-factorial
  cmpwi 3,0
  beq 1f
  mflr 0
  std 0,16(1)
  std 3,40(1)
  stdu 1,-64(1)
  addi 3,3,-1
  bl factorial
  addi 1,1,64
  ld 4,40(1)
  mulld 3,3,4
  ld 0,16(1)
  mtlr 0
  blr
1: li 3,1
  blr
.size factorial, .-factorial
