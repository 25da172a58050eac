// R_X86_64_TLSLD in a library: one pair of words for the module, whose R_X86_64_DTPMOD64 names no
// symbol.
//# link: -shared
//# peers: ld lld
//# reloc: R_X86_64_DTPMOD64 symbol= count=1
//# no-reloc: R_X86_64_DTPOFF64
//# word32: symbol(f).value+3 = section(.got).address-symbol(f).value-7
//# word32: symbol(g).value+3 = section(.got).address-symbol(g).value-7
.globl f, g
f: lea value@tlsld(%rip), %rdi
  call __tls_get_addr@PLT
g: lea other@tlsld(%rip), %rdi
  call __tls_get_addr@PLT
.section .tdata,"awT",@progbits
value: .quad 3
other: .quad 3
.section .note.GNU-stack,"",@progbits
