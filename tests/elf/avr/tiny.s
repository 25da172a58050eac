; Addresses of seven bits of avrtiny, which begin at 0x40; constants stand behind code, as much higher
; as variables see flash memory.
//# driver: ld
//# variant: near:
//# variant: low: --defsym=low=0x80003f
//# variant: high: --defsym=low=0x8000c0
//# compile: -mmcu=avrtiny
//# link: -mavrtiny main.o
//# @near link: --defsym=low=0x800040
//# @near bytes: .text = 40 a1 4f a7 4f a6
//# @near section: .rodata address=0x4006
//# @near segment: LOAD address=0x4006 physical=6
//# @near section: .data address=0x800040
//# @near header: flags=0x64
//# @low expect-error: R_AVR_LDS_STS_16|out of range|overflow|truncated to fit
//# @high expect-error: R_AVR_LDS_STS_16|out of range|overflow|truncated to fit
//# @near peers: ld
//# @low,high peers: none
.globl _start
_start:
  lds r20, low
  lds r20, 0x80007f + zero
  lds r20, 0x8000bf + zero
.section .rodata, "a", @progbits
  .byte 1
.data
  .byte 2
.globl zero
zero = 0
