// Notes of all inputs are in PT_NOTE.
//# link: -static
//# note: ABCD type=7 desc=01020304
//# note: EFGH type=8 desc=05060708
//# segment: NOTE
.globl _start
_start: ret
.section .note.one,"a",@note
.long 5, 4, 7
.asciz "ABCD"
.zero 3
.byte 1, 2, 3, 4
.section .note.two,"a",@note
.long 5, 4, 8
.asciz "EFGH"
.zero 3
.byte 5, 6, 7, 8
.section .note.GNU-stack,"",@progbits
