// The ends of what R_X86_64_PC8, R_X86_64_PC16 and R_X86_64_PC32 reach; one more is an error.
//# variant: last: -static | -Wa,--defsym,b=0x7f,--defsym,h=0x7fff,--defsym,w=0x7fffffff
//# variant: first: -static | -Wa,--defsym,b=-0x80,--defsym,h=-0x8000,--defsym,w=-0x80000000
//# variant: byte: -static | -Wa,--defsym,b=0x80,--defsym,h=0,--defsym,w=0
//# variant: byte-low: -static | -Wa,--defsym,b=-0x81,--defsym,h=0,--defsym,w=0
//# variant: half: -static | -Wa,--defsym,b=0,--defsym,h=0x8000,--defsym,w=0
//# variant: half-low: -static | -Wa,--defsym,b=0,--defsym,h=-0x8001,--defsym,w=0
//# variant: word: -static | -Wa,--defsym,b=0,--defsym,h=0,--defsym,w=0x80000000
//# variant: word-low: -static | -Wa,--defsym,b=0,--defsym,h=0,--defsym,w=-0x80000001
//# @last bytes: symbol(field).value = 7f ff 7f ff ff ff 7f
//# @first bytes: symbol(field).value = 80 00 80 00 00 00 80
//# @byte,byte-low expect-error: R_X86_64_PC8
//# @half,half-low expect-error: R_X86_64_PC16
//# @word,word-low expect-error: R_X86_64_PC32
//# peers: lld
.globl _start
_start: ret
.data
field:
  .byte 0
  .reloc field, R_X86_64_PC8, field + b
  .short 0
  .reloc field + 1, R_X86_64_PC16, field + h + 1
  .long 0
  .reloc field + 3, R_X86_64_PC32, field + w + 3
.section .note.GNU-stack,"",@progbits
