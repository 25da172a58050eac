# Labels of the compiler are left out of the symbol table, as by -X, unless --discard-none keeps them.
//# compile: -Wa,-L
//# variant: program:
//# variant: kept: --discard-none
//# @kept symbol: .Lplain
//# @program no-symbol: .Lplain
//# symbol: named
.globl _start
_start:
named: ret
.Lplain: ret
