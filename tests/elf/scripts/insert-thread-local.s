// A section of data alone is no part of the template of thread-local storage, whatever its name says:
// inputs alone make that. GNU ld leaves it out of PT_TLS too, but marks its bytes as SHF_TLS; lld does not.
//# link: main.o -static -T insert.ld
//# peers: none
//# section: .tdata.x flags=WAT type=PROGBITS
//# section: .tbss.x flags=WAT type=PROGBITS
//# section: .tdata.y flags=WAT type=PROGBITS
//# section: .tbss.gap flags=WA type=NOBITS size=8
//# segment: TLS address=section(.tdata).address memsz=12 filesz=4
//# word32: symbol(offset).value = 0xfffffff4
//# run: exit=31
.globl _start
_start:
  mov x(%rip), %edi
  add y(%rip), %edi
  add z(%rip), %edi
  add gap(%rip), %edi
  mov $60, %eax
  syscall
.data
.globl offset
offset: .long own@tpoff
.section .tdata,"awT"
own: .long 1
.section .tbss,"awT",@nobits
.long 0, 0
.section .note.GNU-stack,"",@progbits
//# file: insert.ld
SECTIONS { .tdata.x : { x = .; LONG(5) } } INSERT AFTER .text;
SECTIONS { .tbss.x : { y = .; LONG(6) } } INSERT AFTER .data;
SECTIONS { .tdata.y : { z = .; LONG(20) } } INSERT AFTER .tbss;
SECTIONS { .tbss.gap : { gap = .; . += 8; } } INSERT AFTER .bss;
