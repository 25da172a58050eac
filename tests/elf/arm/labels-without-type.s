// A BLX to a label that is no function leads to the other kind of code; a thunk changes the kind by
// the lowest bit of an absolute address. ADR of Thumb counts from a multiple of four.
//# driver: ld
//# variant: thumb: a32.o thumb.o
//# variant: a32: t32.o a32-label.o
//# variant: far: far.o --section-start=.rom=0x40000000 --defsym=rom=0x40000001
//# variant: adr: main.o
//# link: -e _start
//# run: exit=42
//# peers: ld
.syntax unified
.thumb
.globl _start
.type _start, %function
_start:
  nop
  .reloc ., R_ARM_THM_ALU_PREL_11_0, number
  subw r1, pc, #4
  ldr r0, [r1]
  movs r7, #1
  svc 0
.section .text.z, "ax", %progbits
.globl number
.balign 4
number: .word 42
//# file: a32.s
.syntax unified
.arch armv7-a
.arm
.globl _start
.type _start, %function
_start:
  mov r0, #1
  blx label
  mov r7, #1
  svc 0
//# file: thumb.s
.syntax unified
.arch armv7-a
.thumb
.globl label
label:
  movs r0, #42
  bx lr
//# file: t32.s
.syntax unified
.arch armv7-a
.thumb
.globl _start
.type _start, %function
_start:
  movs r0, #1
  blx label
  movs r7, #1
  svc 0
//# file: a32-label.s
.syntax unified
.arch armv7-a
.arm
.globl label
label:
  mov r0, #42
  bx lr
//# file: far.s
.syntax unified
.arch armv7-a
.arm
.globl _start
.type _start, %function
_start:
  bl rom
  mov r7, #1
  svc 0
.section .rom, "ax", %progbits
.thumb
  movs r0, #42
  bx lr
