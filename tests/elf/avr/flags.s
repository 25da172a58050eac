; The output is for the family that runs the code of all objects.
//# driver: ld
//# variant: older: main.o five.o
//# variant: other: five.o small.o
//# link: -mavr5
//# @older header: flags=0x5
//# @other expect-error: five.o has code of avr5 and small.o has code of avr25
//# @older peers: ld
//# @other peers: none
.globl _start
_start: nop
//# file: five.s -mmcu=avr5
  nop
//# file: small.s -mmcu=avr25
  nop
