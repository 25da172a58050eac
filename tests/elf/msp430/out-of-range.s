; Values that a field does not hold are errors.
//# driver: ld
//# variant: jump: --defsym=near=0x4802 --defsym=word=0 --defsym=byte=0
//# variant: odd: --defsym=near=0x4401 --defsym=word=0 --defsym=byte=0
//# variant: word: --defsym=near=0x4400 --defsym=word=0x10000 --defsym=byte=0
//# variant: byte: --defsym=near=0x4400 --defsym=word=0 --defsym=byte=0x100
//# link: main.o -Ttext=0x4400
//# @jump expect-error: R_MSP430_10_PCREL
//# @odd expect-error: R_MSP430_10_PCREL
//# @word expect-error: R_MSP430_16_BYTE
//# @byte expect-error: R_MSP430_8
//# @jump,word,byte peers: lld
//# @odd peers: none
.globl _start
_start:
  jmp near
  mov #word, r4
  .byte byte, 0
