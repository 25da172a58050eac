// The last of -shared and -no-pie decides what is made, and the last of -s and -S what is left out.
//# link: -shared -no-pie -s -S
//# run: exit=0
//# peers: ld
//# header: type=EXEC
//# symbol: _start
.include "machine.inc"
.globl _start
_start:
  exit 0
.section .note.GNU-stack,"",@progbits
