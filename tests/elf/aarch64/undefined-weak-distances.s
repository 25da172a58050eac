// A distance to an undefined weak symbol is zero in any kind of program, in data and in code, also where the
// address zero is out of reach.
//# variant: low: -static -Ttext=0x10000 -Tdata=0x20000
//# variant: high: -static -Ttext=0x100000000000 -Tdata=0x100000010000
//# link:
//# peers: none
//# symbol: _start
//# disasm: _start adr x0, [0-9a-f]+ <_start>\n.*ldr x0, [0-9a-f]+ <.*\n.*adrp x0, [0-9a-f]+ <.*\n.*mov[zn]? x0, #0x0
//# word64: section(.data).address = 0
//# check: test "$(readelf -x .data $OUT | grep -c '00000000 00000000 00000000 00000000')" = 1
.globl _start
.weak nothing
_start:
  adr x0, nothing
  ldr x0, nothing
  adrp x0, nothing
  movz x0, #:prel_g0:nothing
.size _start, . - _start
.data
.xword nothing - .
.word nothing - .
.hword nothing - .
.hword 0
.section .note.GNU-stack,"",@progbits
