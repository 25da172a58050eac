// ADR does not reach: by `adr` alone the code cannot be repaired, and `full` moves an instruction.
//# variant: full: --fix-cortex-a53-843419=full
//# variant: adr: --fix-cortex-a53-843419=adr
//# link: -static -Ttext=0x411ff8 --section-start=.data=0x720000
//# @adr expect-error: erratum 843419
//# @full disasm: _start adrp x0, .*\n.*str x1, \[x2\]\n.*b .*<__erratum_843419_veneer_0>
//# peers:
.globl _start
_start:
  adrp x0, datum
  str x1, [x2]
  ldr x3, [x0, :lo12:datum+8]
  ret
.data
.globl datum
datum: .xword 1, 2
.section .note.GNU-stack, "", @progbits
