// The first group of a signature is the one that is kept.
//# link: -static
//# run: exit=1
//# no-section: .text.dropped
.section .text.f,"axG",@progbits,f,comdat
.weak f
f: mov $1, %edi
  ret
.text
.globl _start
_start:
  call f
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
//# file: b.s
.section .text.f,"axG",@progbits,f,comdat
.weak f
f: mov $2, %edi
  ret
.section .note.GNU-stack,"",@progbits
