// A line of --call-graph-ordering-file that is no call is an error.
//# link: --call-graph-ordering-file=calls
//# expect-error: calls: parse error
//# peers: lld
.globl _start
_start: ret
//# file: calls
_start _start 1
_start _start
