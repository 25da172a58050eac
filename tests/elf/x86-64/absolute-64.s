// R_X86_64_64: S + A.
//# variant: static: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# @static word64: symbol(place).value = symbol(_start).value+5
//# @static no-reloc: R_X86_64_RELATIVE
//# @pie reloc: R_X86_64_RELATIVE place=symbol(place).value addend=symbol(_start).value+5
.globl _start
_start: ret
.data
place: .quad _start + 5
.section .note.GNU-stack,"",@progbits
