// -e names a symbol or gives an address.
//# variant: symbol: -e other
//# variant: number: -e 0x1234 -static
//# @symbol header: entry=symbol(other).value
//# @symbol run: exit=3
//# @number header: entry=0x1234
//# @number lint-except: entry-not-executable the address is made up
.include "machine.inc"
.globl other, _start
_start: nop
other:
  exit 3
.section .note.GNU-stack,"",@progbits
