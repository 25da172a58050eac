// Sums wrap around at 4 GiB: a kernel at the upper half refers to what is at the lower end.
//# link: -Ttext=0xfffff000 --defsym=low=0x1000
//# word32: symbol(_start).value+1 = 0x1ffb
//# word32: section(.text).address+5 = 0xfffff010
.globl _start
_start:
  .byte 0xe8
  .long low - . - 4
  .long _start + 16
  .long low - 0x2000
//# word32: section(.text).address+9 = 0xfffff000
.section .note.GNU-stack,"",@progbits
