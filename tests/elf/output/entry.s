// -e names a symbol or gives an address.
//# variant: symbol: -e other
//# variant: number: -e 0x1234 -static
//# @symbol header: entry=symbol(other).value
//# @symbol run: exit=3
//# @number header: entry=0x1234
//# @number lint-except: entry-not-executable the address is made up
.globl other, _start
_start: hlt
other:
  mov $60, %eax
  mov $3, %edi
  syscall
.section .note.GNU-stack,"",@progbits
