// Erratum 843419 of Cortex-A53: an ADRP at the end of a page becomes ADR where that reaches, or
// else the access that uses its register is moved away.
//# variant: plain:
//# variant: full: --fix-cortex-a53-843419
//# variant: moved: --fix-cortex-a53-843419=adrp
//# variant: adr: --fix-cortex-a53-843419=adr
//# variant: undone: --fix-cortex-a53-843419 --no-fix-cortex-a53-843419
//# link: -static -Ttext=0x411000 --section-start=.data=0x420000
//# @full,adr disasm: at_end adr x0, 420000 <.*>\n.*str x1, \[x2\]\n.*ldr x3, \[x0, #8\]
//# @full,adr no-symbol: __erratum_843419_veneer_0
//# @moved disasm: at_end adrp x0, .*\n.*str x1, \[x2\]\n.*b .*<__erratum_843419_veneer_0>
//# @moved disasm: __erratum_843419_veneer_0 ldr x3, \[x0, #8\]\n.*b .*<at_end\+0xc>
//# @moved disasm: fourth adrp x0, .*\n.*str x1, \[x2\]\n.*nop\n.*b .*<__erratum_843419_veneer_1>
//# @moved symbol: $x value=symbol(__erratum_843419_veneer_0).value
//# @moved symbol: __erratum_843419_veneer_1 type=FUNC bind=LOCAL size=8
//# @moved no-symbol: __erratum_843419_veneer_2
//# @plain,undone disasm: at_end adrp x0, .*\n.*str x1, \[x2\]\n.*ldr x3, \[x0, #8\]
//# @plain,undone no-disasm: fourth adr x0,
//# disasm: before adrp x0, .*\n.*str x1, \[x2\]\n.*ldr x3, \[x0, #8\]
//# word32: 0x413ff8 = 0x90000060
//# word32: 0x414000 = 0xf9400403
//# peers:
.globl _start
_start:
  ret
  .org 0xff4
before:
  adrp x0, datum
  str x1, [x2]
  ldr x3, [x0, :lo12:datum+8]
  ret
  .org 0x1ff8
at_end:
  adrp x0, datum
  str x1, [x2]
  ldr x3, [x0, :lo12:datum+8]
  ret
// The same instructions as data.
  .org 0x2ff8
  .word 0x90000060, 0xf9000041, 0xf9400403
  .org 0x3ffc
fourth:
  adrp x0, datum
  str x1, [x2]
  nop
  ldr x3, [x0, :lo12:datum+8]
  ret
.data
.globl datum
datum: .xword 1, 2
.section .note.GNU-stack, "", @progbits
