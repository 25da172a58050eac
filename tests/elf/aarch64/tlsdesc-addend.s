// A TLS descriptor is that of a variable. In a program the place in the variable is known all the same.
//# variant: dynamic: -shared
//# variant: le: -static
//# @dynamic expect-error: R_AARCH64_TLSDESC_ADR_PAGE21.*variable.*addend
//# @le disasm: _start movz x0, #0x0, lsl #16\n.*movk x0, #0x18
//# peers: none
.globl _start
_start:
  adrp x0, :tlsdesc:variable+8
  ldr x1, [x0, #:tlsdesc_lo12:variable+8]
  add x0, x0, #:tlsdesc_lo12:variable+8
  .tlsdesccall variable
  blr x1
.size _start, . - _start
.section .tdata,"awT",@progbits
variable: .xword 1, 2
.section .note.GNU-stack,"",@progbits
