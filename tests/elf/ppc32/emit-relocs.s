# --emit-relocs has the types of the instructions as they are.
//# driver: ld
//# link: -e _start --emit-relocs
//# reloc: R_PPC_TPREL16_HA section=.text count=2
//# reloc: R_PPC_TPREL16_LO section=.text count=2
//# no-reloc: R_PPC_TLSGD section=.text
//# no-reloc: R_PPC_TLS section=.text
//# no-reloc: R_PPC_GOT_TLSGD16 section=.text
//# no-reloc: R_PPC_GOT_TPREL16 section=.text
//# bytes: section(.text).address = 3c 62 00 00 38 63 90 00 3d 22 00 00 39 29 90 00
//# peers: none
.globl _start
_start:
  addi 3,30,variable@got@tlsgd
  bl __tls_get_addr(variable@tlsgd)@plt
  lwz 9,variable@got@tprel(30)
  add 9,9,variable@tls
  blr
.globl __tls_get_addr
__tls_get_addr: blr
.section .tdata,"awT",@progbits
variable: .long 2
