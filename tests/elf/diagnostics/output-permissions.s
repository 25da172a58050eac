// The output may be executed, as the umask allows.
//# link: -static
//# sh: umask 027; "$LD" main.o -static -o x; test $(stat -c %a x) = 750
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
