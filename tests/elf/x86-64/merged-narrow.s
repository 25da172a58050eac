// Fields of every width (R_X86_64_8, R_X86_64_16, R_X86_64_PC16) refer to the piece of a
// mergeable section that the addend chooses.
//# peers: ld
//# link: -static --section-start=.strings=0x70 --section-start=.near=0x7000
//# section: .strings address=0x70 size=4
//# symbol: field value=0x7000
//# bytes: symbol(field).value = 72 72 00 6f 90 6d 90 ff ff 72
.globl _start
_start: ret
.section .near,"aw",@progbits
field:
  .byte .strings + 4
  .short .strings + 4
  .short .strings + 4 - .
  .long .strings + 4 - .
  .byte .strings + 4
.section .strings,"aMS",@progbits,1
  .asciz "a"
  .asciz "a"
  .asciz "b"
.section .note.GNU-stack,"",@progbits
