// An R_X86_64_TLSDESC_CALL of another instruction than call *(%reg) is an error where the descriptor
// must be relaxed (lld overwrites it).
//# link: -static
//# peers: ld
//# expect-error: R_X86_64_TLSDESC_CALL
.globl _start
_start:
  lea value@tlsdesc(%rip), %rax
  jmp *value@tlscall(%rax)
.section .tdata,"awT",@progbits
.globl value
value: .quad 3
.section .note.GNU-stack,"",@progbits
