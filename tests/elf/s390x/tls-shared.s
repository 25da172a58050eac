# In a library each model keeps its words of the GOT, and the loader gets their relocations.
//# driver: ld
//# link: -shared --hash-style=gnu
//# reloc: R_390_TLS_DTPMOD symbol=x
//# reloc: R_390_TLS_DTPOFF symbol=x
//# reloc: R_390_TLS_DTPMOD symbol= addend=0
//# reloc: R_390_TLS_TPOFF symbol=x
//# reloc: R_390_TLS_TPOFF symbol= addend=4 section=.data
//# reloc: R_390_RELATIVE section=.data
//# dynamic: FLAGS value=STATIC_TLS
//# disasm: * brasl
//# disasm: * lg %r1,0\(%r6\)
//# peers: ld
.globl f
.hidden y
f:
  brasl %r14,__tls_get_offset@PLT:tls_gdcall:x
  brasl %r14,__tls_get_offset@PLT:tls_ldcall:x
  lg %r1,0(%r6):tls_load:x
  larl %r1,x@INDNTPOFF
  br %r14
.data
.balign 8
  .quad x@TLSGD
  .quad x@TLSLDM
  .quad y@DTPOFF
  .quad x@GOTNTPOFF
  .quad x@INDNTPOFF
  .quad y@NTPOFF
.section .tdata,"awT"
.globl x, y
x: .long 2
y: .long 3
