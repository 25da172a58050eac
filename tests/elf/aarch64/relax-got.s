// A load through the GOT of a symbol that is here becomes ADR, or ADRP and ADD farther away; not if the
// two instructions have several registers, or are apart, or the symbol is absolute.
//# variant: near: -static -Tdata=0x40000
//# variant: far: -static -Tdata=0x1000020
//# variant: pie: -pie -Tdata=0x40000 --no-dynamic-linker
//# variant: off: -static -Tdata=0x40000 --no-relax
//# link: -Ttext=0x10000
//# @near,pie disasm: _start nop\n.*adr x0, 40000 <
//# @far disasm: _start adrp x0, 1000000 <.*\n.*add x0, x0, #0x20
//# @off disasm: _start adrp x0, .*\n.*ldr x0, \[x0
//# disasm: other adrp x1, .*\n.*ldr x0, \[x1
//# disasm: apart adrp x2, .*\n.*nop\n.*ldr x2, \[x2
//# disasm: absolute adrp x3, .*\n.*ldr x3, \[x3
//# peers: none
.globl _start, value, other, apart, absolute
_start:
  adrp x0, :got:value
  ldr x0, [x0, #:got_lo12:value]
.size _start, . - _start
.section .text.other,"ax",@progbits
other:
  adrp x1, :got:value
  ldr x0, [x1, #:got_lo12:value]
.size other, . - other
.section .text.apart,"ax",@progbits
apart:
  adrp x2, :got:value
  nop
  ldr x2, [x2, #:got_lo12:value]
.size apart, . - apart
.section .text.absolute,"ax",@progbits
absolute:
  adrp x3, :got:constant
  ldr x3, [x3, #:got_lo12:constant]
.size absolute, . - absolute
.data
value: .xword 0
.globl constant
constant = 0x20000
.section .note.GNU-stack,"",@progbits
