// --spare-program-headers leaves room for others to add some.
//# variant: five: --spare-program-headers=5
//# variant: wrong: --spare-program-headers=-1
//# @five segment: NULL count=5
//# @wrong expect-error: spare-program-headers: bad value '-1'
//# peers: mold
.globl _start
_start: ret
