// --no-relax leaves the instructions as they are.
//# link: -static --no-relax
//# run: exit=3
//# disasm: _start mov [-0-9a-fx]+\(%rip\),%rax
.globl _start
.type _start, @function
_start:
  mov foo@GOTPCREL(%rip), %rax
  mov (%rax), %edi
  mov $60, %eax
  syscall
.size _start, . - _start
.data
.globl foo
foo: .long 3
.section .note.GNU-stack,"",@progbits
