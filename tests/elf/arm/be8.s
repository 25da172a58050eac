// Code of a big-endian program is little-endian with --be8, that of its thunks too; data in code is
// not.
//# driver: ld
//# compile: -mbig-endian
//# link: -m armelfb_linux_eabi --be8 -e _start
//# requires: qemu-armeb
//# check: qemu-armeb $OUT || test $? = 42
//# check: readelf -h $OUT | grep -q BE8
//# bytes: .text = 02 00 a0 e3
//# peers: ld
.syntax unified
.arch armv7-a
.arm
.globl _start
.type _start, %function
_start:
  mov r0, #2
  ldr r1, constant
  add r0, r0, r1
  bl thumb
  b jumped
constant: .word 4
.globl back
.type back, %function
back:
  mov r7, #1
  svc #0
.thumb
.type thumb, %function
thumb:
  adds r0, #16
  bx lr
.balign 4
.type jumped, %function
jumped:
  ldr r1, more
  adds r0, r0, r1
  b.w back
.balign 4
more: .word 20
