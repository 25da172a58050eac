// --defsym takes numbers, symbols and expressions.
//# variant: number: --defsym=x=0x1234
//# variant: symbol: --defsym=x=target
//# variant: sum: --defsym=x=target+8
//# variant: separate: --defsym x=(1<<4)+0x2
//# variant: difference: --defsym=x=last-target
//# link: -static
//# @number symbol: x value=0x1234 section=ABS
//# @symbol symbol: x value=symbol(target).value
//# @sum symbol: x value=symbol(target).value+8
//# @separate symbol: x value=0x12
//# @difference symbol: x value=16
.globl _start
_start: .dc.a x
.data
.globl target, last
target: .zero 16
last: .zero 8
.section .note.GNU-stack,"",@progbits
