// A load (R_X86_64_REX_GOTPCRELX) of an absolute symbol's address is no lea: it does not move
// with the program.
//# variant: static: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# link: --defsym=foo=0x123
//# run: exit=35
.globl _start
_start:
  mov foo@GOTPCREL(%rip), %rdi
  and $0xff, %edi
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
