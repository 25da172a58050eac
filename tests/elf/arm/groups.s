// Several instructions add parts of a distance, and the last one loads with the rest.
//# driver: ld
//# link: -e _start --section-start=.data=0x1234560
//# run: exit=45
//# peers: ld lld
.syntax unified
.arch armv7-a
.arm
.globl _start
_start:
  add r1, pc, #:pc_g0_nc:(word - 8)
  add r1, r1, #:pc_g1_nc:(word - 4)
  ldr r0, [r1, #:pc_g2:(word)]
  add r1, pc, #:pc_g0_nc:(half - 8)
  add r1, r1, #:pc_g1_nc:(half - 4)
  ldrh r2, [r1, #:pc_g2:(half)]
  add r0, r0, r2
  mov r7, #1
  svc #0
.data
.zero 0x20
word: .word 42
half: .hword 3
