# The headers are not in memory where nobody asks for them and there is room for them only if they have a
# segment of their own: it would be before the first address that the script gives. As with GNU ld.
//# @sixteen machines: x86-64 aarch64 aarch64_be i386 x32 a program header for attributes takes the room
//# @usual machines: x86-64 i386 x32 pages have 4 KiB
//# driver: ld
//# variant: sixteen: -z max-page-size=16
//# variant: four: -z max-page-size=4
//# variant: usual:
//# link: -T place.ld main.o
//# @sixteen no-segment: LOAD address<0x7c00
//# @four segment: LOAD offset=0 address<0x7c00
//# @usual segment: LOAD offset=0 address=0x7000
//# peers: ld
.globl _start
_start: ret
.data
.quad 1
.section .note.x,"a",@note
.long 4, 0, 1
.asciz "abc"
.section .tdata,"awT"
.long 1
.section .note.GNU-stack,"",@progbits
//# file: place.ld
SECTIONS { .text 0x7c00 : { *(.text) } .note.x 0x8000 : { *(.note.x) } .tdata 0x9000 : { *(.tdata) }
  .data 0xa000 : { *(.data) } .bss : { *(.bss) } }
