| Offsets count from 0x7000 behind the start of the block, in the module from 0x8000.
//# driver: ld
//# link: -e _start
//# bytes: .data = ff ff 90 00 90 04 ff ff 80 04 80 04
//# peers: ld
.globl _start
_start: rts
.section .tdata, "awT", @progbits
a: .long 1
b: .long 2
.data
  .reloc ., R_68K_TLS_LE32, a
  .long 0
  .reloc ., R_68K_TLS_LE16, b
  .short 0
  .reloc ., R_68K_TLS_LDO32, b
  .long 0
  .reloc ., R_68K_TLS_LDO16, b
  .short 0
