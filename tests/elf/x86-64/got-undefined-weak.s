// An undefined weak symbol's GOT entry is zero in a static program.
//# variant: static: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# run: exit=0
.weak nothing
.globl _start
_start:
  mov nothing@GOTPCREL(%rip), %rdi
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
