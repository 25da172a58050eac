// Without an input there is nothing to link.
//# sh: if "$LD" -o out.x 2>err; then exit 1; fi; grep -qi 'no input' err
//# link: -static
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
