// Absolute symbols are reached through thunks, too, although all code is near. Weak symbols that
// nothing defines need none.
//# link: -static --defsym=high=0x7000000000 --defsym=low=0x30000000
//# symbol: __high_veneer size=16 count=1
//# symbol: __low_veneer size=12 count=1
//# no-symbol: __nothing_veneer
//# word64: symbol(__high_veneer).value+8 = 0x7000000000
//# disasm: _start bl .*<__high_veneer>\n.*bl .*<__low_veneer>\n.*nop\n.*ret
//# peers:
.globl _start
.weak nothing
_start:
  bl high
  bl low
  bl nothing
  ret
.section .note.GNU-stack, "", @progbits
