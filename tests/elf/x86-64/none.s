// R_X86_64_NONE changes nothing, but keeps its target from being collected.
//# link: -static --gc-sections
//# word32: symbol(_start).value = 0x11223344
//# symbol: kept
.globl _start
_start: .long 0x11223344
.reloc _start, R_X86_64_NONE, kept
.section .text.kept,"ax",@progbits
.globl kept
kept: ret
.section .note.GNU-stack,"",@progbits
