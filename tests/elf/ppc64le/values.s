# Parts of addresses, distances and offsets, in halves of instructions and in data.
//# driver: ld
//# link: -e _start --defsym=big=0x123487659abc8def --defsym=word=0x7ff4
//# bytes: .data = ef 8d bc 9a 65 87 34 12 ef 8d bc 9a bd 9a 65 87 65 87 34 12 34 12
//# bytes: section(.data).address+22 = f4 7f f6 7f 00 00 f4 7f 00 00
//# bytes: section(.data).address+32 = f0 ff ff ff 10 00 00 00
//# bytes: section(.data).address+40 = 00 80 ff ff ff ff ff ff
//# peers: ld
.abiversion 2
.globl _start
_start:
  blr
.data
  .quad big
  .reloc ., R_PPC64_ADDR16_LO, big
  .short 0
  .reloc ., R_PPC64_ADDR16_HIGH, big
  .short 0
  .reloc ., R_PPC64_ADDR16_HIGHA, big
  .short 0
  .reloc ., R_PPC64_ADDR16_HIGHER, big
  .short 0
  .reloc ., R_PPC64_ADDR16_HIGHERA, big
  .short 0
  .reloc ., R_PPC64_ADDR16_HIGHEST, big
  .short 0
  .reloc ., R_PPC64_ADDR16_HIGHESTA, big
  .short 0
  .short word
  # The lowest two bits select the instruction.
  .reloc ., R_PPC64_ADDR16_LO_DS, word
  .short 2
  .short 0
  .long word
there:
  .long there - 16 - .
  .reloc ., R_PPC64_REL32, there+20
  .long 0
  .reloc ., R_PPC64_DTPREL64, variable
  .quad 0
.section .tdata,"awT",@progbits
variable: .long 2
