# -r keeps the second addend that a relocation has in the bits of its type.
//# driver: ld
//# compile: -fno-pic
//# relocatable: joined.o main.o more.o
//# link: joined.o -e _start --defsym=low=0x12345678
//# bytes: symbol(_start).value = 03 04 8d 15 c2 00 62 7d
//# peers: ld
.globl _start
_start:
  sethi %hi(low), %g1
  lduw [%g1 + %lo(low) + 5], %g1
//# file: more.s
.globl f
f: retl
  nop
