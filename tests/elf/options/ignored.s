// Options of other linkers and other times are taken without an error.
//# machines: x86-64 aarch64 i386 x32 the option says that data are little-endian
//# link: -static --no-copy-dt-needed-entries --warn-common --sort-common -O1 -EL --no-add-needed
//# no-warning: .
//# run: exit=0
.include "machine.inc"
.globl _start
_start:
  exit 0
.section .note.GNU-stack,"",@progbits
