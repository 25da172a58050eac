// -static -pie without an interpreter: the program relocates itself, or has nothing to relocate.
//# link: -static -pie --no-dynamic-linker
//# run: exit=7
//# header: type=DYN
//# no-segment: INTERP
//# segment: DYNAMIC
.globl _start
_start:
  lea value(%rip), %rax
  mov (%rax), %edi
  mov $60, %eax
  syscall
.data
value: .long 7
.section .note.GNU-stack,"",@progbits
