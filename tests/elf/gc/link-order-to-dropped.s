// A kept section must not be linked to one that is dropped.
//# link: -static --gc-sections
//# expect-error: main.o:\(.meta\): sh_link points to discarded section main.o:\(.text.dropped\)
//# peers: lld
.text
.globl _start
_start: lea m(%rip), %rax
.section .text.dropped,"ax",@progbits
nop
.section .meta,"ao",@progbits,.text.dropped
m: .quad 1
.section .note.GNU-stack,"",@progbits
