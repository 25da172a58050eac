// Erratum 835769 of Cortex-A53: a multiply-accumulate of 64 bits behind a load or store is moved
// away, unless it waits for what is loaded.
//# variant: plain: --no-fix-cortex-a53-835769
//# variant: fixed: --fix-cortex-a53-835769
//# link: -static
//# run: exit=42
//# @plain disasm: _start madd x0, x3, x4, x5
//# @plain no-symbol: __erratum_835769_veneer_0
//# @fixed disasm: _start ldr x6, \[sp\]\n.*b .*<__erratum_835769_veneer_0>
//# @fixed disasm: __erratum_835769_veneer_0 madd x0, x3, x4, x5\n.*b .*<_start\+0x18>
//# @fixed no-symbol: __erratum_835769_veneer_1
//# disasm: waits ldr x4, \[sp\]\n.*madd x0, x3, x4, x5
//# peers:
.globl _start
_start:
  mov x3, #5
  mov x4, #8
  mov x5, #2
  str x4, [sp]
  ldr x6, [sp]
  madd x0, x3, x4, x5
  bl waits
  mov x8, #93
  svc #0
waits:
  ldr x4, [sp]
  madd x0, x3, x4, x5
  ret
.word 0xf94003e6, 0x9b041460
.section .note.GNU-stack, "", @progbits
