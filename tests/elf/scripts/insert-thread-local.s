// A section of data alone with a thread-local name is part of the template of thread-local storage.
// GNU ld gives it the flag and makes no PT_TLS.
//# link: main.o -static -T insert.ld
//# peers: none
//# section: .tdata.x flags=WAT type=PROGBITS
//# segment: TLS address=section(.tdata).address memsz=8 filesz=8
//# word32: symbol(offset).value = 0xfffffff8
.globl _start
_start:
  ret
.data
.globl offset
offset: .long own@tpoff
.section .tdata,"awT"
own: .long 1
.section .note.GNU-stack,"",@progbits
//# file: insert.ld
SECTIONS { .tdata.x : { LONG(1) } } INSERT AFTER .tdata;
