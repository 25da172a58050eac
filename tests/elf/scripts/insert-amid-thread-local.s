// What INSERT puts amid the template of thread-local storage would be part of it: an error.
//# link: main.o -static -T insert.ld
//# peers: none
//# expect-error: section \.other stands amid sections of thread-local storage
.globl _start
_start:
  ret
.section .tdata,"awT"
.long 1
.section .tbss,"awT",@nobits
.long 0
.section .note.GNU-stack,"",@progbits
//# file: insert.ld
SECTIONS { .other : { LONG(1) } } INSERT AFTER .tdata;
