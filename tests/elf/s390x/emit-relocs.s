# --emit-relocs has types of the instructions as they are.
//# driver: ld
//# link: -e _start --emit-relocs
//# reloc: R_390_PC32DBL symbol=even table=.rela.text
//# no-reloc: R_390_GOTENT
//# no-reloc: R_390_TLS_GDCALL
//# no-reloc: R_390_PLT32DBL
//# reloc: R_390_TLS_LE64 symbol=x table=.rela.data count=3
//# no-reloc: R_390_TLS_LDM64
//# reloc: R_390_TLS_LDO64 symbol=x
//# peers: none
.globl _start
_start:
  lgrl %r1,even@GOTENT
  brasl %r14,__tls_get_offset@PLT:tls_gdcall:x
  br %r14
.data
.balign 8
.globl even
even:
  .quad x@TLSGD
  .quad x@GOTNTPOFF
  .quad x@INDNTPOFF
  .quad x@TLSLDM
  .quad x@DTPOFF
.section .tdata,"awT"
.globl x
x: .long 2
