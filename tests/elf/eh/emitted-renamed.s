// --emit-relocs: relocations of unwind tables are in a section that is called after theirs, whatever a
// script calls that.
//# machines: x86-64 aarch64 x32 relocations have addends in their table
//# variant: own: own.t
//# variant: joined: joined.t
//# link: -static --emit-relocs main.o -T
//# @own section: .rela.unwind type=RELA
//# @joined section: .rela.rodata type=RELA
//# no-section: .rela.eh_frame
//# peers: none
.globl _start
_start:
.cfi_startproc
ret
.cfi_endproc
.section .note.GNU-stack,"",@progbits
//# file: own.t
SECTIONS { .text : { *(.text) } .unwind : { *(.eh_frame) } }
//# file: joined.t
SECTIONS { .text : { *(.text) } .rodata : { LONG(1) *(.eh_frame) } }
