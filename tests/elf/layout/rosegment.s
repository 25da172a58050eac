// --no-rosegment puts read-only data and code into one segment.
//# link: -static --no-rosegment
//# segment: LOAD flags=RX sections~rodata.*text
//# peers: lld
.globl _start
_start: lea value(%rip), %rax
.section .rodata
value: .quad 1
.section .note.GNU-stack,"",@progbits
