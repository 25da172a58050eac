// Loads of one symbol's address from the GOT are rewritten all or not at all in a section: a branch may
// lead from one ADRP to the LDR of another pair. Other symbols, and other sections, are not concerned.
//# variant: near: -static -Ttext=0x10000 -Tdata=0x40000
//# variant: far: -static -Ttext=0x10000 -Tdata=0x1000020
//# variant: emitted: -static -Ttext=0x10000 -Tdata=0x40000 --emit-relocs
//# link:
//# disasm: _start adrp x1, .*\n.*ldr x1, \[x1, #[0-9]+\]
//# disasm: crossed adrp x1, .*\n.*ldr x2, \[x1
//# @near,emitted disasm: alone nop\n.*adr x3
//# @far disasm: alone adrp x3, .*\n.*add x3, x3
//# @near,emitted disasm: elsewhere nop\n.*adr x1
//# @emitted check: readelf -rW $OUT | grep -c 'R_AARCH64_LD64_GOT_LO12_NC.* twice' | grep -qx 2
//# peers: none
.globl _start, crossed, alone, elsewhere
_start:
  adrp x1, :got:twice
.Lsecond:
  ldr x1, [x1, #:got_lo12:twice]
  ret
.size _start, . - _start
crossed:
  adrp x1, :got:twice
  ldr x2, [x1, #:got_lo12:twice]
  b .Lsecond
.size crossed, . - crossed
alone:
  adrp x3, :got:once
  ldr x3, [x3, #:got_lo12:once]
.size alone, . - alone
.section .text.elsewhere,"ax",@progbits
elsewhere:
  adrp x1, :got:twice
  ldr x1, [x1, #:got_lo12:twice]
.size elsewhere, . - elsewhere
.data
.globl twice, once
twice: .xword 1
once: .xword 2
.section .note.GNU-stack,"",@progbits
