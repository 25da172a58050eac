# Branches count in instructions, in fields of 30, 22, 19, 16 and 10 bits.
//# driver: ld
//# link: -e _start main.o more.o
//# run: exit=31
//# peers: ld
.globl _start
_start:
  mov 0, %o0
  call call
  nop
  ba,pt %icc, short
  nop
.globl after, later, last, end
after:
  brz,pt %g0, zero
  nop
later:
  ba long
  nop
last:
  ta 0x6d
end:
//# file: more.s
.globl call, short, zero, long
call: retl
  add %o0, 1, %o0
short: ba after
  add %o0, 2, %o0
zero: brz,pt %g0, later
  add %o0, 4, %o0
long: add %o0, 24, %o0
  mov 1, %g1
  ba,pt %xcc, last
  nop
