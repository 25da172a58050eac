// R_X86_64_GOTPCREL (not relaxable) keeps its GOT entry.
//# link: -static
//# run: exit=9
.globl _start
_start:
  .byte 0x48, 0x8b, 0x05 # mov foo@GOTPCREL(%rip), %rax
  .long 0
  .reloc . - 4, R_X86_64_GOTPCREL, foo - 4
  mov (%rax), %edi
  mov $60, %eax
  syscall
.data
.globl foo
foo: .long 9
.section .note.GNU-stack,"",@progbits
