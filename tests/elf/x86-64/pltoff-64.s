// R_X86_64_PLTOFF64: the function's distance from the GOT, direct where it is local.
//# link: -static
//# run: exit=7
.globl _start
_start:
  lea _GLOBAL_OFFSET_TABLE_(%rip), %rbx
  movabs $f@PLTOFF, %rax
  add %rbx, %rax
  call *%rax
  mov %eax, %edi
  mov $60, %eax
  syscall
.globl f
f: mov $7, %eax
  ret
.section .note.GNU-stack,"",@progbits
