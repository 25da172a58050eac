# Calls and loads that are marked become what the model of the variable needs, and so do the literals
# that belong to them. The offset is negative: the thread pointer is behind the block.
//# driver: ld
//# variant: fixed:
//# variant: pie: -pie --no-dynamic-linker
//# link: -e _start
//# bytes: symbol(general).value = c0 04 00 00 00 00
//# bytes: symbol(module).value = c0 04 00 00 00 00
//# bytes: symbol(load).value = eb 16 00 00 00 0d
//# bytes: symbol(load_sum).value = eb 16 00 00 00 0d
//# word64: symbol(literals).value = -12
//# word64: symbol(literals).value+8 = -16
//# word64: symbol(literals).value+16 = 4
//# word64: symbol(literals).value+24 = -12
//# word64: symbol(literals).value+32 = -12
//# word64: symbol(literals).value+40 = -8
//# symbol: literals section=.data
//# no-dynamic: TEXTREL
//# peers: none
.globl _start
_start:
general:
  brasl %r14,__tls_get_offset@PLT:tls_gdcall:x
module:
  brasl %r14,__tls_get_offset@PLT:tls_ldcall:x
load:
  lg %r1,0(%r6):tls_load:x
load_sum:
  lg %r1,0(%r6,%r12):tls_load:x
  br %r14
.data
.balign 8
literals:
  .quad x@TLSGD
  .quad x@TLSLDM
  .quad x@DTPOFF
  .quad x@GOTNTPOFF
  .quad x@INDNTPOFF
  .quad x@NTPOFF+4
.section .tdata,"awT"
.balign 8
  .long 1
.globl x
x: .long 2
  .quad 3
