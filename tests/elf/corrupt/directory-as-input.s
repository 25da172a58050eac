// A directory is no input.
//# sh: mkdir folder
//# link: -static folder
//# expect-error: folder
.globl _start
_start: ret
