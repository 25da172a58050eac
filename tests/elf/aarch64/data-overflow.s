// Values that data has no room for are errors: R_AARCH64_ABS32, ABS16, PREL32, PREL16.
//# variant: abs32: --defsym=a=0x100000000
//# variant: abs16: --defsym=b=0x10000
//# variant: prel32: --defsym=c=0x200000000
//# variant: prel16: --defsym=d=0x40000
//# link: -static -Ttext=0x10000 -Tdata=0x20000 --defsym=a=0 --defsym=b=0 --defsym=c=0x20000 --defsym=d=0x20000
//# @abs32 expect-error: R_AARCH64_ABS32
//# @abs16 expect-error: R_AARCH64_ABS16
//# @prel32 expect-error: R_AARCH64_PREL32
//# @prel16 expect-error: R_AARCH64_PREL16
.globl _start
_start: ret
.data
  .word a
  .hword b
  .hword 0
  .word c - .
  .hword d - .
.section .note.GNU-stack,"",@progbits
