// A 32-bit absolute relocation in a PIE names the relocation and how to compile.
//# link: -pie
//# expect-error: R_X86_64_32S?.*
//# expect-error: -fPI[CE]
.globl _start
_start: mov $value, %edi
.data
value: .long 0
.section .note.GNU-stack,"",@progbits
