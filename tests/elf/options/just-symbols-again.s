// What --just-symbols tells of may be defined again, and the first definition holds;
// --disable-multiple-abs-defs makes it an error.
//# file: main.s
.globl _start
_start: mov $place, %eax
.section .note.GNU-stack,"",@progbits
//# file: there.s
.globl place
.data
  .quad 0
place: .quad 0
.section .note.GNU-stack,"",@progbits
//# file: here.s
.globl place
.data
place: .quad 0
.section .note.GNU-stack,"",@progbits
//# sh: ld there.o -e 0 -Tdata=0x12340 -o there
//# relocatable: h.o here.o
//# relocatable: t.o there.o
//# variant: told: main.o --just-symbols=there h.o
//# variant: own: main.o h.o --just-symbols=there
//# variant: strict: main.o --just-symbols=there h.o --disable-multiple-abs-defs
//# @told symbol: place value=0x12348
//# @own symbol: place value=section(.data).address
//# @strict expect-error: place
//# peers: ld
