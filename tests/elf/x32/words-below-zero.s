// Addresses of 32 bits wrap around: a field that holds one may be negative.
//# link:
//# same-as: ld
//# bytes: section(.text).address = b8 fc ff ff ff
//# bytes: section(.data).address = ff ff ff ff
.globl _start
_start:
  mov $four - 8, %eax
.data
  .long outer
.section .note.GNU-stack,"",@progbits
//# file: values.s
.globl four, outer
four = 4
outer = -1
