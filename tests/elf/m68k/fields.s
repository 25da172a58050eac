| Fields of one, two and four bytes: addresses and distances.
//# driver: ld
//# variant: fits: --defsym=small=0x7f --defsym=half=0xffff
//# variant: byte: --defsym=small=0x100 --defsym=half=1
//# variant: half: --defsym=small=1 --defsym=half=0x10000
//# variant: negative: --defsym=small=-0x80 --defsym=half=-0x8000
//# link: -e _start
//# @fits bytes: .data = ff ff 7f 00 00 00 00 07 00 03 01
//# @negative bytes: .data = 80 00 80 00 00 00 00 07 00 03 01
//# @byte expect-error: relocation R_68K_8 out of range: 256 is not in|relocation truncated to fit
//# @half expect-error: relocation R_68K_16 out of range: 65536 is not in|relocation truncated to fit
//# peers: ld
.globl _start
_start: rts
.data
  .2byte half
  .byte small, 0
  .4byte target - .
  .2byte target - .
  .byte target - .
target:
