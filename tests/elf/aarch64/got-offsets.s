// Words of the GOT by their distance from its start (GOTOFF) or from the page of that (GOTPAGE), and by LDR
// (literal); thread-local words by ADR and by MOVW. The GOT: a reserved word, the module and offset of
// `variable`, `first` and `second`, and the module for local dynamic.
//# link: -shared -z norelro --section-start=.got=0x20010
//# reloc: R_AARCH64_TLS_DTPMOD place=0x20018 symbol=variable
//# reloc: R_AARCH64_TLS_DTPREL place=0x20020 symbol=variable
//# reloc: R_AARCH64_GLOB_DAT place=0x20028 symbol=first
//# reloc: R_AARCH64_GLOB_DAT place=0x20030 symbol=second
//# reloc: R_AARCH64_TLS_DTPMOD place=0x20038
//# disasm: offsets movz x0, #0x0, lsl #16\n.*movk x0, #0x20\n.*ldr x1, \[x0, #32\]\n.*ldr x2, \[x0, #48\]\n.*ldr x3, 20028
//# disasm: threads adr x0, 20018 .*\n.*movz x0, #0x0, lsl #16\n.*movk x0, #0x8\n.*adr x0, 20038
//# peers: none
.globl _start, offsets, threads
_start: ret
offsets:
  movz x0, #:gotoff_g1:second
  movk x0, #:gotoff_g0_nc:second
  ldr x1, [x0, :gotoff_lo15:second]
  ldr x2, [x0, :gotpage_lo15:second]
  ldr x3, :got:first
.size offsets, . - offsets
threads:
  adr x0, :tlsgd:variable
  movz x0, #:tlsgd_g1:variable
  movk x0, #:tlsgd_g0_nc:variable
  adr x0, :tlsldm:variable
.size threads, . - threads
.section .tbss,"awT",@nobits
.globl variable
variable: .zero 8
.section .note.GNU-stack,"",@progbits
