// In a library the loader fills the words: GNU's offsets and Sun's negative ones apart, and fields
// of code with the address of a word or an offset from the thread pointer (-z notext).
//# lint-except: relocated-code asked for
//# link: -shared -z notext
//# dynamic: TEXTREL
//# dynamic: FLAGS value=TEXTREL|STATIC_TLS
//# reloc: R_386_TLS_TPOFF symbol=x section=.got
//# reloc: R_386_TLS_TPOFF32 symbol=x section=.got
//# reloc: R_386_TLS_DTPMOD32 symbol=x section=.got
//# reloc: R_386_TLS_DTPOFF32 symbol=x section=.got
//# reloc: R_386_TLS_DESC symbol=x section=.got
//# reloc: R_386_RELATIVE section=.text
//# reloc: R_386_TLS_TPOFF symbol=x section=.text
//# reloc: R_386_TLS_TPOFF32 symbol=x section=.text
.globl f, x
f:
  sub x@gottpoff(%ebx), %eax
  add x@gotntpoff(%ebx), %ecx
  add x@indntpoff, %edx
  sub $x@tpoff, %esi
  lea x@ntpoff(%edi), %edi
  lea x@tlsdesc(%ebx), %eax
  call *x@tlscall(%eax)
  lea x@tlsgd(,%ebx,1), %eax
  call ___tls_get_addr@PLT
.section .tdata,"awT",@progbits
x: .long 1
.section .note.GNU-stack,"",@progbits
