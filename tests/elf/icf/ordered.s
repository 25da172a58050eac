# A symbol of a folded section orders the section that stands for it; so do calls of it.
//# peers: lld
//# variant: symbols: --icf=all -e first --symbol-ordering-file=list
//# variant: calls: --icf=all -e first --call-graph-ordering-file=calls
//# symbol: second value=symbol(first).value
//# @symbols symbol: last value<symbol(first).value
//# @symbols symbol: first value<symbol(other).value
//# @calls symbol: last value=symbol(first).value+8
//# file: list
last
second
//# file: calls
second last 100
//# file: main.s
        .macro function name, value
        .section .text.\name,"ax"
        .globl \name
        .balign 8
\name:  mov $\value, %eax
        ret
        .endm
        function other, 3
        function first, 1
        function second, 1
        function another, 4
        function last, 2
