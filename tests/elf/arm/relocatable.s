// Joined sections have their offsets added to the addends in instructions.
//# driver: ld
//# relocatable: joined.o main.o other.o
//# link: -e _start joined.o
//# run: exit=15
//# peers: ld
.syntax unified
.arch armv7-a
.arm
.globl _start
_start:
  b other
//# file: other.s
.syntax unified
.arch armv7-a
.arm
.globl other
other:
  movw r0, #:lower16:.LC
  movt r0, #:upper16:.LC
  ldr r0, [r0]
  bl .Lplace
  mov r7, #1
  svc #0
.section .text.more,"ax",%progbits
  nop
.Lplace:
  add r0, r0, #5
  bx lr
.section .rodata
  .word 0
.LC: .word 10
