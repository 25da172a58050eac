// A dependency file that cannot be written is an error, and there is no output.
//# link: -static --dependency-file=missing/out.d
//# expect-error: missing/out.d
//# peers: ld lld
.globl _start
_start: nop
.section .note.GNU-stack,"",@progbits
