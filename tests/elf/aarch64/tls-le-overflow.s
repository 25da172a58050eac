// Offsets that do not fit 12 or 24 bits are errors, and local exec in a shared library is.
//# variant: lo12: -static --defsym=a=1
//# variant: shared: -shared
//# peers: ld
//# @lo12 expect-error: R_AARCH64_TLSLE_ADD_TPREL_LO12
//# @lo12 expect-error: R_AARCH64_TLSLE_LDST64_TPREL_LO12
//# @shared expect-error: R_AARCH64_TLSLE_ADD_TPREL_LO12
.globl _start
_start:
  add x0, x0, #:tprel_lo12:far
  ldr x0, [x0, #:tprel_lo12:far]
.section .tdata,"awT",@progbits
.skip 0x1000
far: .xword 2
.section .note.GNU-stack,"",@progbits
