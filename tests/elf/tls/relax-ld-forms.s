// Each form of the R_X86_64_TLSLD sequence (direct, addr32, indirect, large model) becomes a load of
// the thread pointer.
//# link: -static
//# peers: ld
//# bytes: symbol(direct).value = 66 66 66 64 48 8b 04 25 00 00 00 00 90
//# bytes: symbol(prefixed).value = 66 66 66 66 64 48 8b 04 25 00 00 00 00 90
//# bytes: symbol(indirect).value = 66 66 66 66 64 48 8b 04 25 00 00 00 00 90
//# bytes: symbol(large).value = 66 66 66 66 2e 0f 1f 84 00 00 00 00 00 64 48 8b 04 25 00 00 00 00 90
.globl _start
_start:
direct:
  lea value@tlsld(%rip), %rdi
  call __tls_get_addr@PLT
  nop
prefixed:
  lea value@tlsld(%rip), %rdi
  .byte 0x67
  call __tls_get_addr
  nop
indirect:
  lea value@tlsld(%rip), %rdi
  call *__tls_get_addr@GOTPCREL(%rip)
  nop
large:
  lea value@tlsld(%rip), %rdi
  movabs $__tls_get_addr@PLTOFF, %rax
  add %rbx, %rax
  call *%rax
  nop
.section .tdata,"awT",@progbits
value: .quad 3
.text
.globl __tls_get_addr
__tls_get_addr: ret
.section .note.GNU-stack,"",@progbits
