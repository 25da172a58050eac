// An output that cannot be made is an error that names it.
//# link: -static
//# sh: if "$LD" main.o -static -o no/such/dir/out 2>err; then exit 1; fi; grep -q 'no/such/dir/out' err
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
