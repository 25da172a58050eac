// Only -r splits output sections.
//# link: -static --split-by-file --split-by-reloc=1
//# warning: --split-by-file has no effect without -r
//# warning: --split-by-reloc has no effect without -r
//# no-section: .text.0
//# peers:
.globl _start
.text
_start: call f
.section .note.GNU-stack,"",@progbits
//# file: f.s
.globl f
f: ret
.section .note.GNU-stack,"",@progbits
