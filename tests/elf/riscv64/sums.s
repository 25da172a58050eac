# Distances in data are sums of relocations: of one, two, four and eight bytes, with code between
# that becomes shorter.
//# driver: ld
//# link: -e _start
//# run: exit=44
//# peers: ld lld
.globl _start
_start:
  lla t0, distances
  lbu a0, 0(t0)
  lhu a1, 2(t0)
  add a0, a0, a1
  lwu a1, 4(t0)
  add a0, a0, a1
  ld a1, 8(t0)
  add a0, a0, a1
  li a7, 93
  ecall
a: call b
   call b
b: ret
.data
.balign 8
distances:
  .byte b - a
  .byte 0
  .2byte b - a + 1
  .4byte b - a + 3
  .8byte b - a + 8
