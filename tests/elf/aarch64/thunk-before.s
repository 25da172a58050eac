// A thunk stands before the first section where that is longer than branches reach, and so does the
// landing pad of a thunk.
//# link: -static -z force-bti
//# warning: force-bti
//# run: exit=3
//# symbol: __far_veneer section=.text count=1
//# symbol: __far_veneer section=.distant count=1
//# symbol: __far_veneer section=.text value=section(.text).address
//# symbol: __far_veneer section=.distant value=section(.distant).address
//# peers:
.globl _start, far
_start:
  mov x0, #1
  bl far
  mov x8, #93
  svc #0
  .skip 0x8100000
.section .distant, "ax"
far:
  add x0, x0, #2
  ret
  .skip 0x8100000
.section .note.GNU-stack, "", @progbits
