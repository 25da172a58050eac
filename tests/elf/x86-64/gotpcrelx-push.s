// push of a GOT entry with R_X86_64_GOTPCRELX becomes push of the address behind a padding prefix
// (lld keeps it; GNU ld 2.40 takes it for call).
//# link: -static
//# peers: none
//# run: exit=9
//# bytes: symbol(_start).value = 2e 68
.globl _start, foo
_start:
  .byte 0xff, 0x35, 0, 0, 0, 0 # push foo@GOTPCREL(%rip)
  .reloc . - 4, R_X86_64_GOTPCRELX, foo - 4
  pop %rax
  mov (%rax), %edi
  mov $60, %eax
  syscall
.data
foo: .long 9
.section .note.GNU-stack,"",@progbits
