// As in GNU ld, read-only data and code share a segment by default, and are apart if options ask.
//# variant: usual:
//# variant: apart: -z separate-code
//# variant: rosegment: --rosegment
//# link: -static
//# @usual segment: LOAD flags=RX
//# @usual no-segment: LOAD flags=R
//# @apart,rosegment segment: LOAD flags=R
//# peers: none
//# @usual check: test "$(stat -c %s $OUT)" -lt 70000
.globl _start
_start: ret
.section .rodata,"a",@progbits
.word 1
.data
.word 2
.section .note.GNU-stack,"",@progbits
