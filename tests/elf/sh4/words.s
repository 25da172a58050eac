! Addends of words are in their fields; those of narrower fields are in the table.
//# driver: ld
//# variant: direct: main.o
//# variant: joined: joined.o
//# relocatable: joined.o main.o
//# link: -e _start --defsym=far=0x11223344 --defsym=small=0x11
//# bytes: .data = 48 33 22 11 0c 00 00 00 13 00 11 00
//# peers: ld
.globl _start
_start: nop
.data
.align 2
  .long far + 4
  .long label - . + 4
  .word small + 2
  .byte small, 0
label:
