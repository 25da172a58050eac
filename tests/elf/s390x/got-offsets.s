# Offsets of words in the GOT have 12, 16, 20, 32 and 64 bits, and count from the same address as
# offsets of code and data from the GOT, and as its own distance.
//# driver: ld
//# variant: fixed:
//# variant: pie: -pie --no-dynamic-linker
//# variant: no-relax: --no-relax
//# link: -e _start
//# @fixed,no-relax run: exit=63
//# section: .got align=8
//# symbol: _GLOBAL_OFFSET_TABLE_ value=section(.got).address
//# peers: ld
.globl _start, f
.hidden a, b, c, d, e
_start:
  larl %r12,_GLOBAL_OFFSET_TABLE_
  larl %r13,literals
  lghi %r2,0
  lg %r1,a@GOT(%r12)
  ly %r3,b@GOT(%r12)
  larl %r4,a
  larl %r5,b
  sgr %r1,%r4
  agr %r2,%r1
  sr %r3,%r5
  lgfr %r3,%r3
  lh %r1,0(%r13)
  lg %r1,0(%r1,%r12)
  ag %r2,0(%r1)
  lgf %r1,2(%r13)
  lg %r1,0(%r1,%r12)
  ag %r2,0(%r1)
  lg %r1,6(%r13)
  lg %r1,0(%r1,%r12)
  ag %r2,0(%r1)
  lgf %r1,14(%r13)
  ag %r2,0(%r1,%r12)
  lg %r1,18(%r13)
  ag %r2,0(%r1,%r12)
  lg %r1,26(%r13)
  agr %r1,%r12
  basr %r14,%r1
  svc 1
f: aghi %r2,32
  br %r14
.data
.balign 8
a: .quad 1
b: .quad 2
c: .quad 4
d: .quad 8
e: .quad 16
.section .rodata,"a"
.balign 8
literals:
  .short a@GOT
  .long b@GOT
  .quad c@GOT
  .long d@GOTOFF
  .quad e@GOTOFF
  .quad f@PLTOFF
