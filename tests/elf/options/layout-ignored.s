// Options for what only a script can make are accepted silently.
//# link: --enable-non-contiguous-regions --disable-non-contiguous-regions --enable-non-contiguous-regions-warnings
//# no-warning: .
//# peers:
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
