// A program at a fixed address begins on the start of the largest page.
//# variant: larger: -z max-page-size=0x10000
//# variant: huge: -z max-page-size=0x10000000
//# @larger word32: symbol(_start).value+1 = 0x8040000
//# @huge word32: symbol(_start).value+1 = 0x10000000
.globl _start
_start:
  mov $__executable_start, %eax
.section .note.GNU-stack,"",@progbits
