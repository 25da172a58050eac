// A call of an undefined weak function is not reached, and links.
//# link: -static
//# run: exit=4
.weak nothing
.globl _start
_start:
  mov $nothing, %eax
  test %eax, %eax
  jz 1f
  call nothing
1: mov $60, %eax
  mov $4, %edi
  syscall
.section .note.GNU-stack,"",@progbits
