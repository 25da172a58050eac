// R_X86_64_TLSGD in a library: R_X86_64_DTPMOD64 and R_X86_64_DTPOFF64 for a variable that may be
// interposed, the offset itself for its own.
//# link: -shared
//# reloc: R_X86_64_DTPMOD64 symbol=value count=1
//# reloc: R_X86_64_DTPOFF64 symbol=value count=1
//# reloc: R_X86_64_DTPMOD64 symbol= count=1
//# reloc: R_X86_64_DTPOFF64 count=1
//# check: objdump -s -j .got $OUT | grep -q '10000000 00000000'
.globl f
f: .byte 0x66
  lea value@tlsgd(%rip), %rdi
  .value 0x6666
  rex64
  call __tls_get_addr@PLT
  .byte 0x66
  lea own@tlsgd(%rip), %rdi
  .value 0x6666
  rex64
  call __tls_get_addr@PLT
.section .tdata,"awT",@progbits
.globl value, own
.hidden own
value: .quad 3, 4
own: .quad 3
.section .note.GNU-stack,"",@progbits
