// The smallest program: no section but .text is needed to run.
//# link: -static
//# run: exit=7
//# header: type=EXEC entry=symbol(_start).value
//# no-segment: DYNAMIC
//# no-segment: INTERP
.include "machine.inc"
.globl _start
.text
_start:
  exit 7
.section .note.GNU-stack,"",@progbits
