// A branch that would go between instructions is an error, which GNU ld does not report and lld does not
// either: no processor can execute it.
//# variant: conditional: --defsym=a=0x10002
//# variant: call: --defsym=b=0x10001
//# link: -static -Ttext=0x10000 --defsym=a=0x10000 --defsym=b=0x10000
//# @conditional expect-error: R_AARCH64_CONDBR19 wants a multiple of 4
//# @call expect-error: R_AARCH64_CALL26 wants a multiple of 4
//# peers: none
.globl _start
_start:
  b.eq a
  bl b
.section .note.GNU-stack,"",@progbits
