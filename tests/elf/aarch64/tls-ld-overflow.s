// The start of a block whose alignment puts it 16 MiB from the thread pointer does not fit the
// instruction that local dynamic becomes.
//# link: -static
//# expect-error: R_AARCH64_TLSLD_ADD_LO12_NC
//# peers: none
.globl _start, __tls_get_addr
__tls_get_addr: ret
_start:
  adrp x0, :tlsldm:variable
  add x0, x0, #:tlsldm_lo12_nc:variable
  bl __tls_get_addr
  nop
  add x1, x0, #:dtprel_lo12:variable
  ret
.section .tbss,"awT",@nobits
.balign 0x1000000
variable: .skip 8
.section .note.GNU-stack,"",@progbits
