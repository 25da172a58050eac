// A call of a weak symbol that nothing defines goes on behind itself.
//# driver: ld
//# variant: fixed:
//# variant: pie: -pie --no-dynamic-linker
//# link: -e _start
//# run: exit=3
//# peers: ld
.syntax unified
.arch armv7-a
.weak missing
.arm
.globl _start
.type _start, %function
_start:
  mov r0, #1
  bl missing
  addeq r0, r0, #0
  bleq missing
  blx next
  mov r7, #1
  svc #0
.thumb
.type next, %function
next:
  mov r4, lr
  adds r0, #2
  bl missing
  cmp r4, lr
  it ne
  movne r0, #9
  bx lr
