// R_X86_64_PC16 and R_X86_64_PC8: S + A - P.
//# link: -static
//# word16: symbol(word).value = symbol(_start).value-symbol(word).value
//# word8: symbol(byte).value = symbol(_start).value-symbol(byte).value+1
.globl _start
_start: ret
.section .text.b,"ax",@progbits
word: .short _start - .
byte: .byte _start - . + 1
.section .note.GNU-stack,"",@progbits
