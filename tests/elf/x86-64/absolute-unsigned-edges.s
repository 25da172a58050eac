// R_X86_64_8 and R_X86_64_16 hold values that are read without sign.
//# link: -static --defsym=b=0xff --defsym=h=0xffff
//# bytes: symbol(field).value = ff ff ff
//# peers: lld
.globl _start
_start: ret
.data
field:
  .byte b
  .short h
.section .note.GNU-stack,"",@progbits
