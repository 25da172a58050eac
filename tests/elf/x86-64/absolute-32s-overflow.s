// R_X86_64_32S holds no value of 2 GiB or more.
//# link: -static --defsym=far=0x80000000
//# expect-error: R_X86_64_32S
//# expect-error: far
.globl _start
_start: mov $far, %rax
.section .note.GNU-stack,"",@progbits
