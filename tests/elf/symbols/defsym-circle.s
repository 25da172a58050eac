// A value that depends on itself alone is an error, and no zero. GNU ld and lld take 0 for two symbols
// that are each other, lld refuses what does not converge.
//# variant: own: --defsym=x=x
//# variant: sum: --defsym=x=x+4
//# variant: two: --defsym=x=y --defsym=y=x
//# peers: none
//# link: -static
//# @own,sum expect-error: --defsym:1: undefined symbol: x
//# @two expect-error: --defsym:1: the value of symbol [xy] depends on itself
.globl _start
_start: nop
.section .note.GNU-stack,"",@progbits
