// A static program without a library: the linker gets `-m elf32_x86_64` by itself.
//# run: exit=7
//# header: type=EXEC machine=62
//# symbol: _start section=.text
//# word32: section(.data).address+4 = section(.data).address
.globl _start
_start:
  mov value(%rip), %edi
  mov $0x4000003c, %eax
  syscall
.data
value: .long 7
  .long value
.section .note.GNU-stack,"",@progbits
