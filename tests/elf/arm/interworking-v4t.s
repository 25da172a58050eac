// Version 4T has no BLX: calls of the other kind of code go through thunks with BX.
//# driver: ld
//# variant: fixed:
//# variant: pie: -pie --no-dynamic-linker
//# link: -e _start main.o other.o
//# run: exit=7
//# no-disasm: _start blx
//# peers: ld
.syntax unified
.arch armv4t
.arm
.globl _start
.type _start, %function
_start:
  mov r4, #0
  bl thumb_one
  bl a32_two
  mov r0, r4
  mov r7, #1
  svc #0
.globl a32_two
.type a32_two, %function
a32_two:
  add r4, r4, #2
  bx lr
.globl a32_four
.type a32_four, %function
a32_four:
  add r4, r4, #4
  bx lr
//# file: other.s
.syntax unified
.arch armv4t
.thumb
.globl thumb_one
.type thumb_one, %function
thumb_one:
  push {lr}
  adds r4, #1
  bl a32_four
  pop {r3}
  bx r3
