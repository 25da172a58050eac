// -x drops local symbols; what refers to them refers to their section.
//# driver: ld
//# link: -r -x
//# no-symbol: local
//# symbol: global bind=GLOBAL
//# reloc: R_X86_64_64 symbol=.rodata addend=8 section=.data
.section .rodata
.quad 0
local: .quad 1
.data
.globl global
global: .quad local
