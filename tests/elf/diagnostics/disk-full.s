// An output that cannot be written is an error.
//# link: -static
//# sh: if "$LD" main.o -static -o /dev/full 2>err; then exit 1; fi; test -s err; test -c /dev/full
//# peers: lld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
