// A thunk in a program whose code cannot be read has its address in instructions.
//# driver: ld
//# link: -e _start --execute-only --section-start=.far=0x12345678
//# bytes: section(.text).address+8 = 03 b4 12 20 00 02 34 30 00 02 56 30 00 02 79 30 01 90 01 bd
//# peers: lld
.syntax unified
.cpu cortex-m0
.section .text.pure,"ax",%progbits
.thumb
.globl _start
.type _start, %function
_start:
  bl far
  bx lr
.section .far,"ax",%progbits
.type far, %function
far:
  bx lr
