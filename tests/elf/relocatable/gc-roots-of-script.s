// With -r --gc-sections a script's ENTRY, EXTERN, KEEP and assignments are roots, as in a final link.
//# @assigned,entry,extern machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# driver: ld
//# link: main.o -r --gc-sections
//# variant: entry: -T entry.ld
//# variant: extern: -T extern.ld
//# variant: keep: -T keep.ld
//# variant: assigned: -T assigned.ld
//# peers: lld
//# @entry,extern,assigned section: .text size=1
//# @entry,extern,keep section: .kept size=1
//# @keep no-section: .text
//# no-section: .dropped
    .globl _start
    .text
_start: ret
    .section .kept,"a"
    .byte 1
    .section .dropped,"a"
    .byte 2
//# file: entry.ld
ENTRY(_start) SECTIONS { .text : { *(.text) } .kept : { KEEP(*(.kept)) } .dropped : { *(.dropped) } }
//# file: extern.ld
EXTERN(_start) SECTIONS { .text : { *(.text) } .kept : { KEEP(*(.kept)) } .dropped : { *(.dropped) } }
//# file: keep.ld
SECTIONS { .text : { *(.text) } .kept : { KEEP(*(.kept)) } .dropped : { *(.dropped) } }
//# file: assigned.ld
SECTIONS { .text : { *(.text) } .dropped : { *(.dropped) } here = _start; }
