// __rela_iplt_start and __rela_iplt_end bound the relocations that a static program does itself.
//# link: -static
//# reloc: R_X86_64_IRELATIVE count=1
//# symbol: __rela_iplt_end value=symbol(__rela_iplt_start).value+24
//# segment: LOAD sections~rela
//# run: exit=8
.globl _start, f
.type f, @gnu_indirect_function
f: lea real(%rip), %rax
  ret
real: mov $8, %eax
  ret
_start:
  lea __rela_iplt_start(%rip), %rbx
  lea __rela_iplt_end(%rip), %rcx
  mov 16(%rbx), %rax
  call *%rax
  mov (%rbx), %rcx
  mov %rax, (%rcx)
  call f
  mov %eax, %edi
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
