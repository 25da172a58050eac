// Sections of data for tools, INFO, COPY and the like, that INSERT puts amid those that are loaded:
// they have the location counter's address there, and all others are in their segments as without them.
//# link: main.o -static -T insert.ld
//# run: exit=7
//# section: .info flags=W type=PROGBITS size=4 address=section(.text).end
//# section: .copy type=PROGBITS size=4
//# section: .taken type=PROGBITS size=8
//# section: .data flags=WA type=PROGBITS
//# segment: LOAD flags=RW count=1
//# peers: ld
.globl _start
_start:
  mov value(%rip), %edi
  mov $60, %eax
  syscall
.data
value: .long 7
.section taken,"a"
.long 3
.section .note.GNU-stack,"",@progbits
//# file: insert.ld
SECTIONS { .info (INFO) : { info = .; LONG(1) } } INSERT AFTER .text;
SECTIONS {
  .copy (COPY) : { LONG(1) }
  .taken (OVERLAY) : { LONG(2) *(taken) }
} INSERT BEFORE .data;
