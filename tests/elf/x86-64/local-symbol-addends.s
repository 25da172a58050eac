// Section symbols with addends into merged strings follow the string that they point to.
//# link: -static -O2
//# run: exit=99
.globl _start
_start:
  movzbl second(%rip), %edi
  mov $60, %eax
  syscall
.section .rodata.str1.1,"aMS",@progbits,1
.string "abc"
second: .string "cde"
.section .note.GNU-stack,"",@progbits
