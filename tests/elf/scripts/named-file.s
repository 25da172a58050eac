# A file that a statement names without a wildcard is linked, where the script stands among the
# inputs; one that is not there matches nothing.
//# driver: ld
//# variant: named: -T layout.ld main.o
//# variant: twice: -T layout.ld main.o named.o
//# link: -z noexecstack
//# section: .text size=3
//# bytes: section(.text).address = 02 01 c3
//# peers: none
.globl _start
.text
.byte 1
_start: ret
//# file: named.s
.text
.byte 2
.section .note.GNU-stack,""
//# file: layout.ld
SECTIONS { .text : { named.o(.text) nowhere.o(.text) *(.text) } }
