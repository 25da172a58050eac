// A SHF_LINK_ORDER section lives and dies with the section it is linked to.
//# link: -static --gc-sections
//# symbol: kept_meta
//# no-symbol: dropped_meta
//# peers: lld
.section .text._start,"ax",@progbits
.globl _start
_start: ret
.section .text.dropped,"ax",@progbits
dropped: ret
.section meta,"ao",@progbits,.text._start
kept_meta: .quad 1
.section meta,"ao",@progbits,.text.dropped
dropped_meta: .quad 2
.section .note.GNU-stack,"",@progbits
