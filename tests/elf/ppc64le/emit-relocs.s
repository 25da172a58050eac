# --emit-relocs has the types of the instructions as they are.
//# driver: ld
//# link: -e _start --emit-relocs
//# reloc: R_PPC64_TPREL16_HA section=.text
//# reloc: R_PPC64_TPREL16_LO section=.text count=2
//# no-reloc: R_PPC64_TLSGD section=.text
//# no-reloc: R_PPC64_GOT_TLSGD16_LO section=.text
# R_PPC64_PCREL34, and no R_PPC64_GOT_PCREL34.
//# reloc: 0x84 section=.text
//# no-reloc: 0x85 section=.text
//# peers: none
.abiversion 2
.machine power10
.globl _start
_start:
  addis 3,2,variable@got@tlsgd@ha
  addi 3,3,variable@got@tlsgd@l
  bl __tls_get_addr(variable@tlsgd)
  nop
  ld 9,variable@got@tprel(2)
  add 9,9,variable@tls
  pld 5,data@got@pcrel
  blr
.globl __tls_get_addr
__tls_get_addr: blr
.section .tdata,"awT",@progbits
variable: .long 2
.data
data: .long 1
