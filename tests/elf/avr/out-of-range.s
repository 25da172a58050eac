; Values that a field does not hold are errors.
//# driver: ld
//# variant: branch: --defsym=near=0x100
//# variant: odd: --defsym=near=3
//# variant: call: --defsym=far=0x800000
//# variant: pointer: --defsym=pointer=0x20000
//# variant: offset: --defsym=offset=64
//# variant: byte: --defsym=byte=0x100
//# compile: -mmcu=avr5
//# link: -mavr5 main.o
//# @branch link: --defsym=far=0 --defsym=pointer=0 --defsym=offset=0 --defsym=byte=0
//# @odd link: --defsym=far=0 --defsym=pointer=0 --defsym=offset=0 --defsym=byte=0
//# @call link: --defsym=near=0 --defsym=pointer=0 --defsym=offset=0 --defsym=byte=0
//# @pointer link: --defsym=near=0 --defsym=far=0 --defsym=offset=0 --defsym=byte=0
//# @offset link: --defsym=near=0 --defsym=far=0 --defsym=pointer=0 --defsym=byte=0
//# @byte link: --defsym=near=0 --defsym=far=0 --defsym=pointer=0 --defsym=offset=0
//# @branch expect-error: R_AVR_7_PCREL
//# @odd expect-error: R_AVR_7_PCREL
//# @call expect-error: R_AVR_CALL
//# @pointer expect-error: R_AVR_LO8_LDI_GS
//# @offset expect-error: R_AVR_6
//# @byte expect-error: R_AVR_LDI
//# @branch,offset,byte peers: ld
//# @odd,call,pointer peers: none
.globl _start
_start:
  breq near
  call far
  ldi r24, lo8(gs(pointer))
  ldd r24, Y+offset
  ldi r24, byte
