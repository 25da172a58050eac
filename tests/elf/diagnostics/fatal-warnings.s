// --fatal-warnings makes a warning an error.
//# variant: yes: --fatal-warnings -z no-such-word
//# variant: no: --no-fatal-warnings -z no-such-word
//# link: -static
//# @yes expect-error: no-such-word
//# @no warning: no-such-word
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
