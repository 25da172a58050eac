// --emit-relocs: an addend into a merged section is that of the place after merging.
//# driver: ld
//# link: --emit-relocs
//# reloc: R_X86_64_64 symbol=.rodata addend=0 table=.rela.data count=2
//# peers: none
.globl _start
_start: ret
.section .rodata.cst8, "aM", @progbits, 8
.quad 1
.data
.reloc ., R_X86_64_64, .rodata.cst8
.quad 0
//# file: b.s
.section .rodata.cst8, "aM", @progbits, 8
.quad 1
.data
.reloc ., R_X86_64_64, .rodata.cst8
.quad 0
