// Options of other linkers and other times are taken without an error.
//# link: -static --no-copy-dt-needed-entries --warn-common --sort-common -O1 -EL --no-add-needed
//# no-warning: .
//# run: exit=0
.globl _start
_start:
  mov $60, %eax
  xor %edi, %edi
  syscall
.section .note.GNU-stack,"",@progbits
