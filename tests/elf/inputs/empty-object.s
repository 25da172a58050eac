// An object without a symbol or a byte is no error.
//# run: exit=0
//# link: -static
//# file: start.s
.globl _start
_start:
  mov $60, %eax
  xor %edi, %edi
  syscall
//# file: empty.s
.text
