// Branches that do not reach go through thunks, near their callers and in their kind of code.
//# driver: ld
//# variant: fixed:
//# variant: pie: -pie --no-dynamic-linker
//# link: -e _start --section-start=.far=0x5000000
//# run: exit=31
//# symbol: __a32_far_veneer
//# symbol: __thumb_far_veneer
//# peers: lld
.syntax unified
.arch armv7-a
.arm
.globl _start
.type _start, %function
_start:
  mov r4, #0
  bl a32_far
  bl thumb_far
  bl thumb_near
  mov r0, r4
  mov r7, #1
  svc #0
.thumb
.type thumb_near, %function
thumb_near:
  push {lr}
  adds r4, #4
  bl thumb_far
  bl a32_far
  cmp r4, #0
  bne.w thumb_jump
  pop {pc}
.section .far,"ax",%progbits
.arm
.type a32_far, %function
a32_far:
  add r4, r4, #1
  bx lr
.thumb
.type thumb_far, %function
thumb_far:
  adds r4, #4
  bx lr
.type thumb_jump, %function
thumb_jump:
  adds r4, #17
  pop {pc}
