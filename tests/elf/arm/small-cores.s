// Thunks of version 6-M, which has few instructions: with a word, with a distance, and without data
// in code that cannot be read.
//# driver: ld
//# variant: fixed:
//# variant: pic: --pic-veneer
//# link: -e _start --section-start=.far=0x5000000
//# @fixed bytes: section(.text).address+8 = 03 b4 01 48 01 90 01 bd 01 00 00 05
//# @pic bytes: section(.text).address+8 = 01 b4 02 48 84 46 01 bc e7 44 c0 46
//# peers: lld
.syntax unified
.cpu cortex-m0
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
