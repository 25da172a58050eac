// Functions in sections of data are called too, as in firmware that copies them to other memory:
// through thunks where they are far away, and with a landing pad where the output promises them.
//# variant: plain:
//# variant: guarded: -z force-bti
//# link: -static --section-start=.ram=0x20000000
//# @guarded warning: force-bti
//# symbol: __quick_veneer section=.text size=12 count=1
//# @plain disasm: __quick_veneer adrp x16, 20000000 .*\n.*add x16, x16, #0x0\n.*br x16
//# @plain no-symbol: $x section=.ram value=symbol(quick).value+8
//# @guarded symbol: __quick_veneer section=.ram size=8 count=1
//# @guarded bytes: symbol(quick).value+8 = 5f 24 03 d5
//# @guarded bytes: symbol(quick).value+12 = fd ff ff 17
//# @guarded disasm: __quick_veneer add x16, x16, #0x8
//# peers:
.globl _start
_start:
  bl quick
  ret
.section .ram, "aw", @progbits
.globl quick
.type quick, %function
quick:
  add x0, x0, #3
  ret
.section .note.GNU-stack, "", @progbits
