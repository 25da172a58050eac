# Memory that is read-only after relocation begins with a page, though only tables that are not made
# could be in it; without such memory data go on where in a page the code ends. With -n all of it is
# one segment.
//# driver: ld
//# variant: with: -T layout.ld
//# variant: without: -T layout.ld -z norelro
//# variant: unpaged: -T layout.ld -n
//# link: main.o -static -z noexecstack
//# @with,unpaged section: .data address=0x401000
//# @without section: .data address=0x401104
//# @unpaged lint-except: writable-code -n puts all into one segment
//# peers: ld
.globl _start
_start: .skip 4
.data
.long 1
//# file: layout.ld
SECTIONS {
  .text 0x400100 : { *(.text) }
  . = DATA_SEGMENT_ALIGN(CONSTANT(MAXPAGESIZE), CONSTANT(COMMONPAGESIZE));
  .got : { *(.got) *(.igot) }
  . = DATA_SEGMENT_RELRO_END(0, .);
  .data : { *(.data) }
  . = DATA_SEGMENT_END(.);
}
