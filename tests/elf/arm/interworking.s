// Calls become BLX where the other kind of code is called; jumps go through thunks.
//# driver: ld
//# variant: fixed:
//# variant: pie: -pie --no-dynamic-linker
//# variant: pic-veneer: --pic-veneer
//# link: -e _start main.o other.o
//# run: exit=63
//# disasm: _start blx
//# symbol: __jumped_veneer
//# peers: lld
.syntax unified
.arch armv7-a
.arm
.globl _start
.type _start, %function
_start:
  mov r4, #0
  bl thumb_one
  bl a32_two
  b jumped
.globl back
.type back, %function
back:
  cmp r4, #0
  blne thumb_conditional
  mov r0, r4
  mov r7, #1
  svc #0
.globl a32_two
.type a32_two, %function
a32_two:
  add r4, r4, #2
  bx lr
//# file: other.s
.syntax unified
.arch armv7-a
.thumb
.globl thumb_one
.type thumb_one, %function
thumb_one:
  push {lr}
  adds r4, #1
  bl a32_four
  bl near
  pop {pc}
.type near, %function
near:
  adds r4, #8
  bx lr
.globl jumped
.type jumped, %function
jumped:
  adds r4, #16
  beq.w back
  b.w back
.globl thumb_conditional
.type thumb_conditional, %function
thumb_conditional:
  adds r4, #32
  bx lr
.arm
.section .text.four,"ax",%progbits
.globl a32_four
.type a32_four, %function
a32_four:
  add r4, r4, #4
  bx lr
