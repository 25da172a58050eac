// Thunks of code that is not readable do not read their target's address.
//# variant: fixed: -static
//# variant: pie: -pie --no-dynamic-linker
//# link: --execute-only --section-start=.far=0x1234567000
//# run: exit=3
//# @fixed disasm: * movabs \$0x[0-9a-f]+,%r11\n.*jmp \*%r11
//# @pie disasm: * lea .*\(%rip\),%r11.*\n.*ror \$0x1f,%r11\n.*add \$0xffffffffffffff[0-9a-f]+,%r11\n.*ror \$0x21,%r11\n.*jmp \*%r11
//# peers: none
.globl _start
_start:
  xor %edi, %edi
  call far
  mov $60, %eax
  syscall
.globl back
back:
  inc %edi
  ret
.section .far, "ax"
.globl far
far:
  add $2, %edi
  jmp back
.section .note.GNU-stack, "", @progbits
