// What pages, distances and scaled loads have no room for is an error; misaligned places are, too.
//# variant: adrp: --defsym=a=0x200000000
//# variant: adr: --defsym=b=0x120000
//# variant: literal: --defsym=c=0x120000
//# variant: ld64: --defsym=d=0x10004
//# variant: ld128: --defsym=e=0x10008
//# link: -static -Ttext=0x10000 --defsym=a=0x10000 --defsym=b=0x10000 --defsym=c=0x10000 --defsym=d=0x10000 --defsym=e=0x10000
//# @adrp expect-error: R_AARCH64_ADR_PREL_PG_HI21
//# @adr expect-error: R_AARCH64_ADR_PREL_LO21
//# @literal expect-error: R_AARCH64_LD_PREL_LO19
//# @ld64 expect-error: R_AARCH64_LDST64_ABS_LO12_NC
//# @ld128 expect-error: R_AARCH64_LDST128_ABS_LO12_NC
//# peers: lld
.globl _start
_start:
  adrp x0, a
  adr x1, b
  ldr x2, c
  ldr x3, [x0, #:lo12:d]
  ldr q3, [x0, #:lo12:e]
.section .note.GNU-stack,"",@progbits
