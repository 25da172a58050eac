// A load from the GOT stays where an option puts the symbol out of the reach of code.
//# link: -static --section-start=.distant=0x500000000
//# run: exit=42
//# disasm: _start mov 0x[0-9a-f]+\(%rip\),%rax
//# peers: ld lld
.globl _start
_start:
  mov answer@GOTPCREL(%rip), %rax
  mov (%rax), %edi
  mov $60, %eax
  syscall
.section .distant, "aw"
.globl answer
answer: .quad 42
.section .note.GNU-stack, "", @progbits
