// Code for real mode in a position-independent program: its fields of 16 and 8 bits hold the addresses
// of the link, as boot loaders expect it of GNU ld, since no loader moves that code.
//# link: -pie --no-dynamic-linker -z notext -Ttext=0x7c00
//# bytes: symbol(code).value = b8 00 7c
//# bytes: symbol(code).value+3 = bb 06 7c 05
//# no-section: .rel.dyn
//# same-as: ld
.code16
.globl _start, word, low
low = 5
_start:
code:
  mov $_start, %ax
  .byte 0xbb
word:
  .word code + 6
  .byte low
.section .note.GNU-stack,"",@progbits
