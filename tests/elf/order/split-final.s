// Only -r splits output sections.
//# link: -static --split-by-file --split-by-reloc=1
//# no-warning: split-by
//# no-section: .text.0
//# peers:
.include "machine.inc"
.globl _start
.text
_start: calls f
.section .note.GNU-stack,"",@progbits
//# file: f.s
.globl f
f: ret
.section .note.GNU-stack,"",@progbits
