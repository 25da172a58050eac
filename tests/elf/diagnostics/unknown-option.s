// An unknown option is an error that repeats it.
//# link: -static --no-such-option
//# expect-error: no-such-option
.globl _start
_start: ret
