// Addends of relocations against section symbols move with the sections.
//# driver: ld
//# link: -r
//# reloc: R_X86_64_64 section=.data symbol=.rodata addend=0
//# reloc: R_X86_64_64 section=.data symbol=.rodata addend=8
.section .rodata
a: .quad 1
.data
.quad a
//# file: b.s
.section .rodata
b: .quad 1
.data
.quad b
