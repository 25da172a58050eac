// -tt is -t for GNU ld's users: it names members of archives too.
//# archive: libx.a x.o
//# link: -tt main.o libx.a
//# says: main\.o
//# says: libx\.a\(x\.o\)
//# peers:
.include "machine.inc"
.globl _start
_start: calls x
.section .note.GNU-stack,"",@progbits
//# file: x.s
.globl x
x: ret
.section .note.GNU-stack,"",@progbits
