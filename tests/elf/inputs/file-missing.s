// A file that is not there is named.
//# link: no-such-file.o
//# expect-error: no-such-file\.o.*[Nn]o such file
.globl _start
_start: nop
