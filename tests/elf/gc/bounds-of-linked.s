// Sections that are linked to dropped ones go, whoever refers to their bounds; without any, the bounds
// are not defined, and weak references to them are null.
//# variant: fixed: -static
//# variant: pie: -pie
//# link: --gc-sections
//# no-section: numbers
//# no-symbol: __start_numbers section=.text
//# bytes: .data = 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
//# no-reloc: R_X86_64_RELATIVE
//# peers: ld
.globl _start
.weak __start_numbers, __stop_numbers
_start: movq pointers(%rip), %rax
ret
.data
pointers: .quad __start_numbers, __stop_numbers
.section .text.dead,"ax",@progbits
dead: ret
.section numbers,"awo",@progbits,.text.dead
.quad 1
.section .note.GNU-stack,"",@progbits
