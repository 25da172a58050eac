# PHDRS may give the headers to several segments, where there is room before their sections; where there
# is none, they would share pages.
//# @late machines: x86-64 i386 x32 pages have 4 KiB
//# @both,second machines: x86-64 pages have 4 KiB, and headers 64 bytes
//# driver: ld
//# variant: both: -T both.ld
//# variant: second: -T second.ld
//# variant: full: -T full.ld
//# variant: late: -T late.ld
//# link: main.o
//# @both,second peers: ld lld
//# @both segment: LOAD flags=RX offset=0 filesz=233
//# @both segment: LOAD flags=RW offset=0 end=12528
//# @both symbol: d value=0x30e8
//# @second segment: LOAD flags=RW offset=0
//# @second segment: PHDR offset=64
//# @full,late expect-error: there is no room for the program headers before the first section
//# @full,late peers: none
.globl _start, d
_start: ret
.data
d: .quad 5
.section .note.GNU-stack,"",@progbits
//# file: both.ld
PHDRS { p PT_PHDR PHDRS; t PT_LOAD FILEHDR PHDRS; d PT_LOAD FILEHDR; }
SECTIONS { .text 0x1000 + SIZEOF_HEADERS : { *(.text) } :t .data 0x3000 + SIZEOF_HEADERS : { *(.data) } :d }
//# file: second.ld
PHDRS { p PT_PHDR PHDRS; t PT_LOAD FILEHDR; d PT_LOAD FILEHDR PHDRS; }
SECTIONS { .text 0x1000 + SIZEOF_HEADERS : { *(.text) } :t .data 0x3000 + SIZEOF_HEADERS : { *(.data) } :d }
//# file: full.ld
PHDRS { t PT_LOAD FILEHDR; d PT_LOAD PHDRS; }
SECTIONS { .text 0x1000 : { *(.text) } :t .data 0x3000 : { *(.data) } :d }
//# file: late.ld
PHDRS { t PT_LOAD; d PT_LOAD PHDRS; }
SECTIONS { .text 0x1000 : { *(.text) } :t .data 0x3000 : { *(.data) } :d }
