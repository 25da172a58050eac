// A link works in 400 MB of address space.
//# link: -static
//# sh: ulimit -v 400000; "$LD" main.o -static -o x
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
