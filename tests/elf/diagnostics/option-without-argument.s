// An option at the end that needs an argument is an error.
//# driver: ld
//# link: -static
//# sh: if "$LD" main.o -static -o out.x -e 2>err; then exit 1; fi; grep -q 'argument\|-e' err
//# archive: unused.a main.o
//# link: main.o
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
