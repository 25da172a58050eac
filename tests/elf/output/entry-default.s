// Without _start the program starts at .text, and a warning says so.
//# warning: _start
//# header: entry=section(.text).address
//# run: exit=3
//# peers: ld
.include "machine.inc"
.text
  exit 3
.section .note.GNU-stack,"",@progbits
