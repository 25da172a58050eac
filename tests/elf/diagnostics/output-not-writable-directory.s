// A directory as output is an error.
//# link: -static
//# sh: mkdir d; if "$LD" main.o -static -o d 2>err; then exit 1; fi; grep -q 'd' err; test -d d
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
