// An assertion that stands outside of SECTIONS is checked with the values of the script: the size of a
// section of several statements, and where the location counter ends.
//# peers: ld
//# variant: fails: main.o -T fails.ld
//# @fails expect-error: (fails\.ld:2: )?the text is too long
//# variant: holds: main.o -T holds.ld
//# @holds no-run
.globl _start
_start: ud2
.section .text.more, "ax"
.byte 1, 2
//# file: fails.ld
SECTIONS { .text : { *(.text) BYTE(0) *(.text.more) } }
ASSERT(SIZEOF(.text) == 2, "the text is too long")
//# file: holds.ld
ASSERT(end == ADDR(.text) + 5, "before")
SECTIONS { . = 0x10000; .text : { *(.text) BYTE(0) *(.text.more) } end = .; }
ASSERT(SIZEOF(.text) == 5 && end == 0x10005, "behind")
