// --section-start, -Ttext, -Tdata and -Tbss place sections.
//# variant: options: --section-start=.text=0x600000 --section-start=.data=0x700000
//# variant: short: -Ttext=0x600000 -Tdata=0x700000 -Tbss=0x710000
//# variant: spaced: -Ttext 0x600000 -Tdata 0x700000
//# link: -static
//# section: .text address=0x600000
//# section: .data address=0x700000
//# @short section: .bss address=0x710000
//# run: exit=7
.globl _start
_start:
  mov value, %edi
  mov $60, %eax
  syscall
.data
value: .long 7
.bss
zero: .long 0
.section .note.GNU-stack,"",@progbits
