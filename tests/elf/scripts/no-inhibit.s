# --noinhibit-exec makes warnings of assertions that fail, of sections that overlap and of full
# memory regions, with -r too.
//# driver: ld
//# variant: assert: main.o -T assert.ld
//# variant: outside: main.o outside.ld
//# variant: joined: -r main.o -T assert.ld
//# variant: overlap: main.o -T overlap.ld
//# variant: region: main.o -T region.ld
//# variant: refused: main.o -T assert.ld
//# @assert,outside,joined,overlap,region link: --noinhibit-exec
//# @assert,outside,joined warning: too much
//# @overlap warning: overlaps
//# @region warning: memory region .?W
//# @refused expect-error: too much
//# @overlap lint-except: section-address-overlap it is asked for
//# @overlap lint-except: load-order it is asked for
//# peers: none
.globl _start
_start: ret
.data
.quad 1
.section .note.GNU-stack,""
//# file: assert.ld
SECTIONS { . = 0x10000; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data) } ASSERT(0, "too much") }
//# file: outside.ld
ASSERT(0, "too much")
//# file: overlap.ld
SECTIONS { .text 0x10000 : { *(.text) } .data 0x10000 : { *(.data) } }
//# file: region.ld
MEMORY { R (rx) : ORIGIN = 0x10000, LENGTH = 4k  W (w) : ORIGIN = 0x20000, LENGTH = 4 }
SECTIONS { .text : { *(.text) } >R .data : { *(.data) } >W }
