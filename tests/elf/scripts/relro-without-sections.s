# Where nothing is in memory that is read-only after relocation, data go on where in a page the code
# ends, as without such memory (`-z norelro`). With -n all of it is one segment.
//# machines: x86-64 i386 x32 pages have 4 KiB
//# driver: ld
//# variant: with: -T layout.ld
//# variant: without: -T layout.ld -z norelro
//# variant: unpaged: -T layout.ld -n
//# link: main.o -static -z noexecstack
//# section: .data address=0x401104
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
