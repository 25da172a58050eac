// A general dynamic sequence that is not the ABI's is an error where it must be relaxed.
//# link: -static
//# expect-error: R_X86_64_TLSGD|TLS
//# peers: ld
.globl _start
_start:
  lea value@tlsgd(%rip), %rsi
  nop
.section .tbss,"awT",@nobits
.globl value
value: .long 0
.section .note.GNU-stack,"",@progbits
