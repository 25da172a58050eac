# Variables of a library are copied into a program whose code takes their addresses, and functions have
# one address.
//# driver: ld
//# compile: -fno-pic
//# shared: libother.so other.o
//# link: main.o -L. -lother -e _start
//# reloc: R_SPARC_COPY symbol=words
//# dynsym: f value!=0 section=UND
//# peers: ld
.register %g2, #scratch
.globl _start
_start:
  sethi %hi(words), %g1
  or %g1, %lo(words), %g1
  sethi %hi(f), %g2
  or %g2, %lo(f), %g2
  call f
  nop
//# file: other.s
.globl words, f
.type words, @object
.size words, 16
.type f, @function
f: retl
  nop
.data
.align 8
words: .xword 1, 2
