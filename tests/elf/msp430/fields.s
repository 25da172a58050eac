; Addresses and distances of 16 bits, and jumps of ten.
//# driver: ld
//# variant: direct: main.o
//# variant: joined: joined.o
//# relocatable: joined.o main.o
//# link: -Ttext=0x4400 --section-start=.data=0x200 --defsym=far=0x43fe --defsym=port=0x21 --defsym=other=0x1234
//# bytes: .text = fe 23 34 40 00 02 b0 12 fe 43 15 40 f4 bd 16 42 34 12 03 43
//# bytes: .data = 34 12 36 12 21 fe 43 00 00
//# symbol: _start value=0x4400
//# header: flags=0 entry=0x4400
//# @direct,joined no-segment: DYNAMIC
//# @direct peers: lld
//# @joined peers: none
.globl _start
_start:
  jne far
  mov #data, r4
  call #far
  mov data, r5
  mov &other, r6
  nop
.data
data:
  .short other, other + 2
  .byte port
  .long far
