// An object without a symbol or a byte is no error.
//# run: exit=0
//# link: -static
//# file: start.s
.include "machine.inc"
.globl _start
_start:
  exit 0
//# file: empty.s
.text
