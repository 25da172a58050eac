// 16-bit code of boot sectors: addresses of 16 bits, and distances that wrap around at 64 KiB.
//# link: -Ttext=0x7c00 --section-start=.far=0xfff0
//# bytes: section(.text).address = e9 ed 83 e9 ea 83 b8 00 7c
//# bytes: section(.far).address = e9 0d 7c
//# same-as: ld
.code16
.globl _start, far
_start:
  .byte 0xe9
  .word far - . - 2
  .byte 0xe9
  .word far - . - 2
  mov $_start, %ax
.section .far,"ax"
far:
  .byte 0xe9
  .word _start - . - 2
.section .note.GNU-stack,"",@progbits
