// Symbols in sections whose number does not fit a symbol have it in .symtab_shndx.
//# variant: static: -static
//# variant: shared: -shared --export-dynamic
//# variant: emit: -static --emit-relocs
//# section: .symtab_shndx type=SYMTAB_SHNDX
//# symbol: local65999 section=own65999
//# symbol: first section=own0
//# symbol: last section=own65999
//# @shared dynsym: last section!=ABS
//# header: sections>=66000
//# check: readelf -sW $OUT 2>&1 | grep -q ' 66[0-9]* local65999'
//# @shared lint-except: symbol-section .dynsym has no table of large indices
//# peers: lld
.altmacro
.macro section number
.section own\number,"a",@progbits
local\number: .byte 1
.endm
.set i, 0
.rept 66000
section %i
.set i, i + 1
.endr
.globl last
last: .byte 0
.section own0
.globl first
first: .byte 0
.text
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
