; In 8 KiB of memory a jump goes forwards over the end. Devices with more say how much they have.
//# driver: ld
//# variant: small: -mavr4 --defsym=far=0x2000 | -mmcu=avr4
//# variant: said: -mavr5 --pmem-wrap-around=16k --defsym=far=0x4000 | -mmcu=avr5
//# variant: large: -mavr5 --defsym=far=0x4000 | -mmcu=avr5
//# link: main.o
//# @small,said bytes: .text = ff cf
//# @large expect-error: R_AVR_13_PCREL
//# peers: ld
.globl _start
_start: rjmp far
