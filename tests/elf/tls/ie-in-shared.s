// Initial exec (R_X86_64_GOTTPOFF) in a library: an R_X86_64_TPOFF64 relocation and DF_STATIC_TLS.
//# link: -shared
//# variant: global: --defsym=unused=1
//# variant: local: -Bsymbolic
//# dynamic: FLAGS value~STATIC_TLS
//# @global reloc: R_X86_64_TPOFF64 symbol=value addend=0
//# @local reloc: R_X86_64_TPOFF64 symbol= addend=8
//# @local peers: lld
f: mov value@gottpoff(%rip), %rax
.section .tdata,"awT",@progbits
.quad 1
.globl value
value: .quad 3
.section .note.GNU-stack,"",@progbits
