// --trace lists files that are there, and nothing of the linker's own.
//# link: -t
//# no-stdout: linker
//# stdout: ^main.o$
.globl _start
_start: ret
