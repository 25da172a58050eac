# Parts of addresses, distances and offsets, in halves of instructions and in data.
//# driver: ld
//# link: -e _start --defsym=big=0x12348765 --defsym=word=0x7ff4
//# bytes: .data = 12 34 87 65 87 65 12 34 12 35
//# bytes: section(.data).address+10 = 7f f4 ed cb 78 9b 78 9b ed cb ed cb 7f f4
//# bytes: section(.data).address+24 = ff ff ff f0 00 00 00 10
//# bytes: section(.data).address+32 = 00 20 00 20 00 00 00 01
//# bytes: section(.data).address+40 = ff ff 80 00 00 00 7f f5
//# peers: ld
.globl _start
_start:
  blr
.data
  .long big
  .short big@l
  .short big@h
  .short big@ha
  .short word
  .reloc ., R_PPC_EMB_NADDR32, big
  .long 0
  .reloc ., R_PPC_EMB_NADDR16_LO, big
  .short 0
  .reloc ., R_PPC_EMB_NADDR16_HI, big
  .short 0
  .reloc ., R_PPC_EMB_NADDR16_HA, big
  .short 0
  .reloc ., R_PPC_UADDR16, word
  .short 0
there:
  .long there - 16 - .
  .reloc ., R_PPC_REL32, there+20
  .long 0
  .reloc ., R_PPC_SECTOFF, there+8
  .short 0
  .reloc ., R_PPC_SECTOFF_LO, there+8
  .short 0
  .reloc ., R_PPC_SECTOFF_HI, there+8
  .short 0
  .reloc ., R_PPC_SECTOFF_HA, there+0x8000
  .short 0
  .reloc ., R_PPC_DTPREL32, variable
  .long 0
  .reloc ., R_PPC_UADDR32, word+1
  .long 0
.section .tdata,"awT",@progbits
variable: .long 2
