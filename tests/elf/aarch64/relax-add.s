// ADRP and ADD become ADR within a MiB of the second: the last byte that is reached, and the first that is
// not. They do not if there are two registers, or --no-relax is given.
//# variant: near: --defsym=a=0x210000 --defsym=b=0x220000
//# variant: edge: --defsym=a=0x310003 --defsym=b=0x31000c
//# variant: off: --no-relax --defsym=a=0x210000 --defsym=b=0x220000
//# link: -static -Ttext=0x210000
//# @near disasm: _start nop\n.*adr x0, 210000.*\n.*nop\n.*adr x1, 220000
//# @edge disasm: _start nop\n.*adr x0, 310003.*\n.*adrp x1, 310000.*\n.*add x1, x1, #0xc
//# @off disasm: _start adrp x0, 210000.*\n.*add x0, x0, #0x0\n.*adrp x1, 220000.*\n.*add x1, x1
//# disasm: other adrp x0, .*\n.*add x1, x0
//# peers: lld
.globl _start, other
_start:
  adrp x0, a
  add x0, x0, #:lo12:a
  adrp x1, b
  add x1, x1, #:lo12:b
.size _start, . - _start
other:
  adrp x0, a
  add x1, x0, #:lo12:a
.size other, . - other
.section .note.GNU-stack,"",@progbits
