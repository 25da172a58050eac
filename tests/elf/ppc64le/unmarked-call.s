# A sequence whose call of __tls_get_addr has no mark cannot be rewritten.
//# driver: ld
//# link: -e _start
//# expect-error: R_PPC64_GOT_TLSGD16.* must be used with a call of __tls_get_addr
//# peers: none
.abiversion 2
.globl _start
_start:
  addi 3,2,variable@got@tlsgd
  bl __tls_get_addr
  nop
  blr
.globl __tls_get_addr
__tls_get_addr: blr
.section .tdata,"awT",@progbits
variable: .long 2
