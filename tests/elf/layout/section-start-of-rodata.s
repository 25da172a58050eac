// --section-start of a section of read-only data moves what follows it in GNU ld's script, and no code.
//# peers: ld
//# link: -static --section-start=.rodata=0x600000
//# section: .text address<0x600000
//# section: .rodata address=0x600000
//# section: .data address>0x600000
//# run: exit=7
.globl _start
_start:
  mov value(%rip), %edi
  sub one(%rip), %edi
  mov $60, %eax
  syscall
.data
value: .long 8
.section .rodata
one: .long 1
.section .note.GNU-stack,"",@progbits
