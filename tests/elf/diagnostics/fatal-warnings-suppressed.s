// A warning that is suppressed is not fatal, whatever the order of the options.
//# variant: after: --fatal-warnings -w -e nothing
//# variant: before: -w --fatal-warnings -e nothing
//# link: -static
//# no-warning: .
//# peers: ld lld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
