// A relocation whose field is not within its section is an error, also where it is half of a pair.
//# link: -static
//# expect-error: R_AARCH64_CALL26 lies outside its section
//# expect-error: R_AARCH64_ABS64 lies outside its section
//# expect-error: R_AARCH64_ADR_GOT_PAGE lies outside its section
//# peers: none
.globl _start
_start:
  nop
  .reloc 2, R_AARCH64_CALL26, _start + 2
.data
  .word 0
  .reloc 0, R_AARCH64_ABS64, _start
.section .text.two,"ax"
  nop
  .reloc 2, R_AARCH64_ADR_GOT_PAGE, _start
.section .note.GNU-stack,"",@progbits
