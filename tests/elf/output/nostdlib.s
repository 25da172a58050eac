// The smallest program: no section but .text is needed to run.
//# link: -static
//# run: exit=7
//# header: type=EXEC entry=symbol(_start).value
//# no-segment: DYNAMIC
//# no-segment: INTERP
.globl _start
.text
_start:
  mov $60, %eax
  mov $7, %edi
  syscall
.section .note.GNU-stack,"",@progbits
