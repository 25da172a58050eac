// _DYNAMIC is the address of .dynamic where there is one, and zero when weak where there is none.
//# variant: pie: -static -pie --no-dynamic-linker
//# variant: static: -static
//# @pie symbol: _DYNAMIC value=section(.dynamic).address
//# @pie word32: symbol(_start).value+3 = section(.dynamic).address-symbol(_start).value-7
//# @static run: exit=3
.globl _start
.weak _DYNAMIC
.hidden _DYNAMIC
_start:
  lea _DYNAMIC(%rip), %rax
  mov $60, %eax
  mov $3, %edi
  syscall
.section .note.GNU-stack,"",@progbits
