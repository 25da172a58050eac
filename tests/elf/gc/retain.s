// SHF_GNU_RETAIN keeps a section that nothing reaches.
//# link: -static --gc-sections
//# symbol: kept
//# no-symbol: dropped
.globl _start
_start: ret
.section .text.kept,"axR",@progbits
kept: ret
.section .text.dropped,"ax",@progbits
dropped: ret
.section .note.GNU-stack,"",@progbits
