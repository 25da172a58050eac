// An address in four instructions of version 6-M, byte by byte.
//# driver: ld
//# link: -e _start --defsym=wanted=0x12345678
//# bytes: .text = 12 20 00 02 34 30 00 02 56 30 00 02 78 30
//# peers: lld
.syntax unified
.cpu cortex-m0
.thumb
.globl _start
_start:
  movs r0, #:upper8_15:wanted
  lsls r0, r0, #8
  adds r0, #:upper0_7:wanted
  lsls r0, r0, #8
  adds r0, #:lower8_15:wanted
  lsls r0, r0, #8
  adds r0, #:lower0_7:wanted
