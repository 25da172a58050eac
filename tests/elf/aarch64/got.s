// Loads through the GOT without relaxing: ADR_GOT_PAGE, LD64_GOT_LO12_NC, LD64_GOTPAGE_LO15, GOT_LD_PREL19.
//# link: -shared --no-relax -z norelro
//# variant: plain:
//# peers: ld
//# section: .got size=16
//# reloc: R_AARCH64_GLOB_DAT symbol=value
//# disasm: f adrp x0, [0-9a-f]+
//# disasm: f ldr x0, \[x0, #[0-9]+\]
//# disasm: f ldr x2, \[x1, #[0-9]+\]
//# symbol: _GLOBAL_OFFSET_TABLE_ value=section(.got).address
//# word64: section(.got).address = section(.dynamic).address
.globl f
.type f, %function
f:
  adrp x0, :got:value
  ldr x0, [x0, #:got_lo12:value]
  adrp x1, _GLOBAL_OFFSET_TABLE_
  ldr x2, [x1, #:gotpage_lo15:value]
  ldr x3, :got:value
  ret
.size f, . - f
.section .note.GNU-stack,"",@progbits
