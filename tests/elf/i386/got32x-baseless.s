// A GOT load without base register has the address of the word: only a program at fixed addresses
// knows it. What cannot be rewritten loads the word.
//# variant: fixed: -static
//# variant: pie: -static -pie --no-dynamic-linker
//# @fixed run: exit=7
//# @pie expect-error: R_386_GOT32X.*foo
.globl _start, foo
_start:
  mov foo@GOT, %ecx
  mov (%ecx), %ebx
  push foo@GOT
  pop %edx
  cmp %ecx, %edx
  jne 1f
  mov $1, %eax
  int $0x80
1: hlt
.data
foo: .long 7
.section .note.GNU-stack,"",@progbits
