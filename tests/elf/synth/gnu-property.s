// .note.gnu.property: IBT and SHSTK only if all inputs have them.
//# machines: x86-64 properties of x86-64
//# variant: all: main.o yes.o
//# variant: one: main.o no.o
//# link: -static
//# @all note: GNU type=5 desc~^020000c004000000
//# @all segment: GNU_PROPERTY
//# @one no-note: GNU type=5 desc~^020000c004000000(01|02|03)
.globl _start
_start: ret
.section .note.gnu.property,"a"
.balign 8
.long 4, 16, 5
.asciz "GNU"
.long 0xc0000002, 4, 3, 0
.section .note.GNU-stack,"",@progbits
//# file: yes.s
.section .note.gnu.property,"a"
.balign 8
.long 4, 16, 5
.asciz "GNU"
.long 0xc0000002, 4, 3, 0
.section .note.GNU-stack,"",@progbits
//# file: no.s
.text
ret
.section .note.GNU-stack,"",@progbits
