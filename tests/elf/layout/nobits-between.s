// .bss data of several files is zero and after the data in the file.
//# link: -static
//# run: exit=0
//# section: .bss type=NOBITS size>=0x10000
//# header: size<0x8000
.globl _start
_start:
  mov big+0x8000(%rip), %edi
  mov $60, %eax
  syscall
.data
.quad 1
.bss
.globl big
big: .zero 0x10000
.section .note.GNU-stack,"",@progbits
