// Bounds of a set do not keep members that are linked to what is dropped.
//# link: -static --gc-sections
//# section: meta size=8
//# symbol: kept_meta
//# no-symbol: dropped_meta
//# peers: lld
.section .text._start,"ax",@progbits
.globl _start
_start: lea __start_meta(%rip), %rax
.section .text.dropped,"ax",@progbits
dropped: ret
.section meta,"ao",@progbits,.text._start
kept_meta: .quad 1
.section meta,"ao",@progbits,.text.dropped
dropped_meta: .quad 2
.section .note.GNU-stack,"",@progbits
