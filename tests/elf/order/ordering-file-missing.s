// A file of symbols, calls or sections that cannot be read is an error.
//# variant: symbols: --symbol-ordering-file=none
//# variant: calls: --call-graph-ordering-file=none
//# expect-error: none: No such file or directory
//# peers: lld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
