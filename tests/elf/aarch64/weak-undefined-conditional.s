// A conditional branch to an undefined weak symbol goes to the next instruction.
//# link: -static -Ttext=0x210000
//# peers: lld
//# bytes: 0x210000 = 20 00 00 54
//# bytes: 0x210004 = 20 00 00 36
.globl _start
.weak nothing
_start:
  b.eq nothing
  tbz w0, #0, nothing
.section .note.GNU-stack,"",@progbits
