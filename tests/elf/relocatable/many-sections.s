// -r with more than 65,279 sections writes SHT_SYMTAB_SHNDX.
//# driver: ld
//# link: -r
//# section: .symtab_shndx type=SYMTAB_SHNDX
//# symbol: last section=.text.last
//# header: sections>=66000
.altmacro
.macro section number
.section .text.f\number,"ax",@progbits
ret
.endm
.set i, 0
.rept 66000
section %i
.set i, i + 1
.endr
.section .text.last,"ax",@progbits
.globl last
last: ret
