// R_X86_64_32 zero-extends, R_X86_64_32S sign-extends.
//# link: -static --defsym=low=0x80000000 --defsym=high=0xffffffff80000000
//# word32: symbol(_start).value+1 = 0x80000000
//# word32: symbol(sign).value+3 = 0x80000000
.globl _start
_start: mov $low, %eax
sign: mov $high, %rax
.section .note.GNU-stack,"",@progbits
