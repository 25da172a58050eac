// A conditional branch that does not reach is an error: no thunk is made for it.
//# variant: condbr: --defsym=a=0x110008
//# variant: tstbr: --defsym=b=0x18010
//# link: -static -Ttext=0x10000 --defsym=a=0x10000 --defsym=b=0x10000
//# @condbr expect-error: R_AARCH64_CONDBR19
//# @tstbr expect-error: R_AARCH64_TSTBR14
//# peers: ld
.globl _start
_start:
  b.eq a
  tbz w0, #0, b
.section .note.GNU-stack,"",@progbits
