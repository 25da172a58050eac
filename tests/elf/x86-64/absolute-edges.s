// The last values that R_X86_64_8, R_X86_64_16, R_X86_64_32, R_X86_64_32S and R_X86_64_SIZE32
// hold; one more is an error. An 8- or 16-bit field is read with either sign.
//# variant: last: -static --defsym=b=0x7f --defsym=h=0x7fff --defsym=w=0xffffffff --defsym=s=0x7fffffff
//# variant: first: -static --defsym=b=0-0x80 --defsym=h=0-0x8000 --defsym=w=0 --defsym=s=0-0x80000000
//# variant: byte: -static --defsym=b=0x100 --defsym=h=0 --defsym=w=0 --defsym=s=0
//# variant: byte-low: -static --defsym=b=0-0x81 --defsym=h=0 --defsym=w=0 --defsym=s=0
//# variant: half: -static --defsym=b=0 --defsym=h=0x10000 --defsym=w=0 --defsym=s=0
//# variant: half-low: -static --defsym=b=0 --defsym=h=0-0x8001 --defsym=w=0 --defsym=s=0
//# variant: word: -static --defsym=b=0 --defsym=h=0 --defsym=w=0x100000000 --defsym=s=0
//# variant: word-low: -static --defsym=b=0 --defsym=h=0 --defsym=w=0-1 --defsym=s=0
//# variant: signed: -static --defsym=b=0 --defsym=h=0 --defsym=w=0 --defsym=s=0x80000000
//# variant: signed-low: -static --defsym=b=0 --defsym=h=0 --defsym=w=0 --defsym=s=0-0x80000001
//# @last bytes: symbol(field).value = 7f ff 7f ff ff ff ff ff ff ff 7f
//# @first bytes: symbol(field).value = 80 00 80 00 00 00 00 00 00 00 80
//# @byte,byte-low expect-error: R_X86_64_8\b
//# @half,half-low expect-error: R_X86_64_16
//# @word,word-low expect-error: R_X86_64_32\b
//# @signed,signed-low expect-error: R_X86_64_32S
//# peers: lld
.globl _start
_start: ret
.data
field:
  .byte b
  .short h
  .long w
  .long 0
  .reloc . - 4, R_X86_64_32S, s
.section .note.GNU-stack,"",@progbits
