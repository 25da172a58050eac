// A TLS descriptor (R_X86_64_GOTPC32_TLSDESC, R_X86_64_TLSDESC_CALL) becomes local exec.
//# link: -static
//# disasm: _start mov \$0xfffffffffffffff8,%rax\n.*(xchg %ax,%ax|data16|nop)
//# no-disasm: _start call
.globl _start
.type _start, @function
_start:
  lea value@tlsdesc(%rip), %rax
  call *value@tlscall(%rax)
.size _start, . - _start
.section .tdata,"awT",@progbits
.globl value
value: .quad 3
.section .note.GNU-stack,"",@progbits
