// .tbss does not push the sections after it.
//# machines: x86-64 i386 x32 pages have 4 KiB
//# link: -static
//# section: .tbss size=0x100000
//# symbol: after value<section(.tbss).address+0x10000
//# run: exit=0
.include "machine.inc"
.globl _start
_start:
  exit 0
.section .tbss,"awT",@nobits
big: .zero 0x100000
.data
after: .quad 1
.section .note.GNU-stack,"",@progbits
