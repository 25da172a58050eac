# Zeros at the address of data are an error, as with lld: the data would be lost. GNU ld takes any two
# sections that begin at one address for an overlay.
//# driver: ld
//# link: main.o -T over.ld
//# expect-error: section .z overlaps with .data|section .data overlaps with .z
//# peers: none
.globl _start
_start: ret
.data
.quad 1
.section .z,"aw",@nobits
.zero 16
.section .note.GNU-stack,""
//# file: over.ld
SECTIONS { .text 0x400000 : { *(.text) } .data 0x500000 : { *(.data) } .z 0x500000 : { *(.z) } }
