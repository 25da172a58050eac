// R_X86_64_GOT64: the entry's offset in the GOT; R_X86_64_GOTPCREL64: its distance.
//# link: -static
//# peers: ld
//# run: exit=42
.globl _start
_start:
  lea _GLOBAL_OFFSET_TABLE_(%rip), %rbx
  movabs $value@GOT, %rax
  mov (%rbx,%rax), %rax
  mov (%rax), %edi
  lea distance(%rip), %rcx
  mov distance(%rip), %rax
  mov (%rcx,%rax), %rax
  add (%rax), %edi
  mov $60, %eax
  syscall
distance: .quad value@GOTPCREL
.data
value: .long 21
.section .note.GNU-stack,"",@progbits
