// .tbss does not push the sections after it.
//# link: -static
//# section: .tbss size=0x100000
//# symbol: after value<section(.tbss).address+0x10000
//# run: exit=0
.globl _start
_start:
  mov $60, %eax
  xor %edi, %edi
  syscall
.section .tbss,"awT",@nobits
big: .zero 0x100000
.data
after: .quad 1
.section .note.GNU-stack,"",@progbits
