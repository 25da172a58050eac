// A thunk branches by a register. Where the output promises landing pads and the target is none,
// the thunk leads to a landing pad near the target.
//# link: -static -z force-bti --section-start=.far=0x10000000
//# run: exit=3
//# warning: force-bti
//# symbol: __bare_veneer section=.text size=12 count=1
//# symbol: __bare_veneer section=.far size=8 count=1
//# symbol: __guarded_veneer count=1
//# disasm: * bti c\n.*b [0-9a-f]+ <bare>
//# disasm: __guarded_veneer add x16, x16, #0x4
//# peers:
.globl _start
_start:
  mov x0, #0
  bl bare
  bl guarded
  mov x8, #93
  svc #0
.section .far, "ax"
.globl bare, guarded
.type bare, %function
bare: b 1f
.type guarded, %function
guarded:
  bti c
  add x0, x0, #2
  ret
1: add x0, x0, #1
  ret
.section .note.GNU-stack, "", @progbits
