// Without _start the program starts at .text, and a warning says so.
//# warning: _start
//# header: entry=section(.text).address
//# run: exit=3
//# peers: ld
.text
  mov $60, %eax
  mov $3, %edi
  syscall
.section .note.GNU-stack,"",@progbits
