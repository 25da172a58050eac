// The note on the stack and the empty sections of a global offset table are in no output, and count
// among the orphans: constants of the second file follow the place of relocations, behind all that is
// in memory, and a move of the location counter behind a section that is not loaded begins at 0, where
// the note is.
//# @note machines: x86-64 aarch64 aarch64_be i386 x32 a section of attributes is before the data
//# @relocations machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# driver: ld
//# variant: relocations: main.o more.o -T relocations.ld
//# variant: note: main.o more.o -T note.ld
//# peers: ld
//# @relocations section: .const address=section(.bss).end
//# @note section: .data address=0x10
//# lint-except: writable-code code and data share a page here, as the script says
//# @relocations lint-except: nobits-in-file constants stand behind zeros
    .globl _start
    .text
_start: ret
    .section .loose,""
    .zero 32
    .data
    .byte 2
    .bss
    .zero 8
    .section .note.GNU-stack,""
//# file: more.s
    .section .const,"a"
    .zero 8
    .section .note.GNU-stack,""
//# file: relocations.ld
SECTIONS { .text : { *(.text) *(.data) } .loose 0 : { *(.loose) }
  /DISCARD/ : { *(.got .got.plt .iplt .igot.plt) } }
//# file: note.ld
SECTIONS { . = 0x1000; .text : { *(.text) } .loose : { *(.loose) } . = . + 16; .data : { *(.data) }
  /DISCARD/ : { *(.const) } }
