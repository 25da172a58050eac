// A section that the default layout does not name, and --section-start gives an address, is there alone:
// what would stand behind it stays where it is without the option, as in GNU ld.
//# link: main.o --section-start=.own=0x800000 --section-start=own.read=0x700000
//# run: exit=42
//# section: .own address=0x800000
//# section: own.read address=0x700000
//# section: .data address<0x700000
//# section: .bss address<0x700000
//# section: .text address<0x700000
//# segment: LOAD address=0x800000 flags=RW
//# segment: LOAD address=0x700000 flags=R
//# peers: ld
.globl _start
_start:
  mov own(%rip), %edi
  add other(%rip), %edi
  add zero(%rip), %edi
  add read(%rip), %edi
  mov $60, %eax
  syscall
.section .own,"aw"
own: .long 30
.section own.other,"aw"
other: .long 7
.section own.read,"a"
read: .long 5
.data
.long 1
.bss
zero: .zero 4
.section .note.GNU-stack,"",@progbits
