// --warn-section-align tells of sections that alignment moves behind the end of the one before.
//# @told machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k other assemblers round up sizes of sections
//# variant: quiet:
//# variant: told: --warn-section-align
//# link: -static
//# @quiet no-warning: start of section
//# @told warning: start of section .second changed by 13
//# peers: ld
.globl _start
_start:
  nop
.section .first,"aw"
  .balign 16
  .byte 1, 2, 3
.section .second,"aw"
  .balign 16
  .long 1
.section .note.GNU-stack,"",@progbits
