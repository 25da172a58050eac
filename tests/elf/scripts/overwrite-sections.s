# OVERWRITE_SECTIONS puts sections in place of those of the layout, a script's or the default one,
# and takes inputs before all other statements, as lld does.
//# driver: ld
//# variant: default: -T overwrite.ld
//# variant: scripted: -T overwrite.ld -T layout.ld
//# variant: missing: -T missing.ld
//# link: main.o -z noexecstack
//# @default bytes: section(.data).address = 02 01 03
//# @default symbol: first_end value=section(.data).address+1 section=.data
//# @scripted bytes: section(.data).address = 02 01
//# @scripted section: .data address=0x2000 size=2
//# @scripted section: .rest size=1
//# @missing expect-error: missing\.ld:1: the layout has no section \.nowhere to overwrite
//# peers: lld
.globl _start
_start: ret
.data
.byte 1
.section .data.first,"aw"
.byte 2
.section .data.last,"aw"
.byte 3
//# file: overwrite.ld
OVERWRITE_SECTIONS { .data : { *(.data.first) first_end = .; } }
//# file: layout.ld
SECTIONS { .text 0x1000 : { *(.text) } . = 0x2000; .data : { *(.data .data.*) } .rest : { *(.data.*) } }
//# file: missing.ld
OVERWRITE_SECTIONS { .nowhere : { *(.data) } }
