// A static program without a library: the linker gets `-m elf_i386` by itself.
//# run: exit=7
//# header: type=EXEC machine=3
//# symbol: _start section=.text
//# word32: section(.data).address+4 = section(.data).address
//# disasm: _start mov 0x
.globl _start
_start:
  mov value, %ebx
  mov $1, %eax
  int $0x80
.data
value: .long 7
  .long value
.section .note.GNU-stack,"",@progbits
