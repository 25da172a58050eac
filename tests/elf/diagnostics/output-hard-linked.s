// Another name of an old output keeps the old contents.
//# link: -static
//# sh: echo old > x; ln x y; "$LD" main.o -static -o x; grep -q old y
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
