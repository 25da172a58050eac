// An @word without a file is an argument, which is then a file that is missing.
//# link: @no-such-file
//# expect-error: no-such-file
.globl _start
_start: nop
