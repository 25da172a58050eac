# An alias of a memory region needs a region before it and a name of its own, whether or not a
# script lays the output out; a region that is declared again is the later one, with a warning.
//# driver: ld
//# variant: unknown: main.o -T unknown.ld
//# variant: alone: main.o -T alone.ld
//# variant: joined: main.o -r -T alone.ld
//# variant: implicit: main.o alone.ld
//# variant: later: main.o -T later.ld
//# variant: twice: main.o -T twice.ld
//# variant: own: main.o -T own.ld
//# variant: other: main.o -T other.ld
//# variant: chain: main.o -T chain.ld
//# variant: again: main.o -T again.ld
//# variant: again-alias: main.o -T again-alias.ld
//# @unknown,alone,joined,implicit,later expect-error: memory region .?nowhere.?( for alias .*)? (is not de|does not exist)
//# @twice expect-error: memory region.* .?a.?
//# @own expect-error: memory region.* .?R.?
//# @other expect-error: memory region.* .?S.?
//# @chain section: .text address=0x1000
//# @again section: .text address=0x3000
//# @again-alias section: .text address=0x3000
//# @again,again-alias warning: memory region
//# peers: ld
.globl _start
_start: ret
.section .note.GNU-stack,""
//# file: unknown.ld
REGION_ALIAS("a", "nowhere") SECTIONS { .text : { *(.text) } }
//# file: alone.ld
REGION_ALIAS("a", "nowhere")
//# file: later.ld
REGION_ALIAS("a", "nowhere")
MEMORY { nowhere : ORIGIN = 0x1000, LENGTH = 4k }
SECTIONS { .text : { *(.text) } >a }
//# file: twice.ld
MEMORY { R : ORIGIN = 0x1000, LENGTH = 4k  S : ORIGIN = 0x3000, LENGTH = 4k }
REGION_ALIAS("a", "R") REGION_ALIAS("a", "S")
SECTIONS { .text : { *(.text) } >a }
//# file: own.ld
MEMORY { R : ORIGIN = 0x1000, LENGTH = 4k }
REGION_ALIAS("R", "R")
SECTIONS { .text : { *(.text) } >R }
//# file: other.ld
MEMORY { R : ORIGIN = 0x1000, LENGTH = 4k  S : ORIGIN = 0x3000, LENGTH = 4k }
REGION_ALIAS("S", "R")
SECTIONS { .text : { *(.text) } >S }
//# file: chain.ld
MEMORY { R : ORIGIN = 0x1000, LENGTH = 4k }
REGION_ALIAS("a", "R")
REGION_ALIAS("b", "a")
SECTIONS { .text : { *(.text) } >b }
//# file: again.ld
MEMORY { R : ORIGIN = 0x1000, LENGTH = 4k }
MEMORY { R : ORIGIN = 0x3000, LENGTH = 4k }
SECTIONS { .text : { *(.text) } >R }
//# file: again-alias.ld
MEMORY { R : ORIGIN = 0x1000, LENGTH = 4k }
REGION_ALIAS("a", "R")
MEMORY { a : ORIGIN = 0x3000, LENGTH = 4k }
SECTIONS { .text : { *(.text) } >R }
