// Each symbol of a chain is the next one and more, in any order.
//# peers: lld
//# link: --defsym=a=b+1 --defsym=c=_start --defsym=b=c+1
//# symbol: a value=symbol(_start).value+2
.globl _start
_start: lea a(%rip), %rax
