// R_X86_64_32 out of range is an error with the place and the symbol.
//# link: -static --defsym=far=0x100000000
//# expect-error: R_X86_64_32\b
//# expect-error: far
.globl _start
_start: mov $far, %eax
.section .note.GNU-stack,"",@progbits
