// R_X86_64_16 and R_X86_64_8.
//# link: -static --defsym=a=0x1234 --defsym=b=0x56
//# bytes: symbol(place).value = 35 12 57
.globl _start
_start: ret
.data
place:
  .short a + 1
  .byte b + 1
.section .note.GNU-stack,"",@progbits
