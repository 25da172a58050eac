// A symbol that is TLS here and not there is an error.
//# peers: ld
//# link: -static
//# expect-error: (?i)tls|thread
//# expect-error: value
.globl _start
_start: mov value@tpoff, %eax
.section .note.GNU-stack,"",@progbits
//# file: b.s
.data
.globl value
value: .long 1
.section .note.GNU-stack,"",@progbits
