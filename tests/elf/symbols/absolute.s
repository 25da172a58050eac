// An absolute symbol is not moved with the program.
//# variant: static: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# symbol: constant section=ABS value=0x123
//# word32: symbol(_start).value+1 = 0x123
//# no-reloc: R_X86_64_RELATIVE
.globl _start, constant
constant = 0x123
_start:
  mov $constant, %edi
.section .note.GNU-stack,"",@progbits
