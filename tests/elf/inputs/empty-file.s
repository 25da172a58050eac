// A file without a byte is an empty script.
//# sh: : > empty.o
//# link: -static empty.o
//# run: exit=0
.include "machine.inc"
.globl _start
_start:
  exit 0
.section .note.GNU-stack,"",@progbits
