# Files that statements name are linked in the order of the statements, also those that the command
# line names behind the script.
//# driver: ld
//# variant: given: -T layout.ld main.o first.o second.o
//# variant: behind: -T layout.ld main.o second.o first.o
//# variant: last: -T layout.ld main.o second.o
//# link: -z noexecstack
//# bytes: section(.text).address = 02 03 01 c3
//# peers: ld
//# lint-except: writable-code code and data share a page here, as the script says
.globl _start
.text
.byte 1
_start: ret
.section .note.GNU-stack,""
//# file: first.s
.text
.byte 2
.section .note.GNU-stack,""
//# file: second.s
.text
.byte 3
.section .note.GNU-stack,""
//# file: layout.ld
SECTIONS {
  .text : { *(.text) }
  .data : { first.o(.data) second.o(.data) }
}
