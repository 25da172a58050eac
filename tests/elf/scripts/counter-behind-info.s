// A section that the script says is not loaded (INFO, COPY, OVERLAY, DSECT) takes its room before
// the next one all the same, in its memory region too: its inputs would be loaded.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# driver: ld
//# variant: info: -T info.ld
//# variant: copy: -T copy.ld
//# variant: region: -T region.ld --print-memory-usage
//# variant: loose: -T loose.ld
//# link: main.o
//# peers: ld
//# @info section: .more address=0x1005
//# @info section: .data address=0x1007
//# @copy section: .data address=0x1007
//# @region section: .data address=0x1008
//# @region stdout: R: +9 B +4 KB
//# @loose section: .data address=0x1001
//# @info section: .info address=0x1001 size=4
//# lint-except: writable-code code and data share a page here, as the script says
    .globl _start
    .text
_start: ret
    .section .info,"a"
    .byte 1, 2, 3, 4
    .section .more,"a"
    .byte 1, 2
    .section .loose,""
    .byte 7
    .data
    .byte 1
//# file: info.ld
SECTIONS { . = 0x1000; .text : { *(.text) } .info (INFO) : { *(.info) } .more : { *(.more) } .data : { *(.data) } }
//# file: copy.ld
SECTIONS { . = 0x1000; .text : { *(.text) } .info (COPY) : { *(.info) } .more (OVERLAY) : { *(.more) } .data : { *(.data) } }
//# file: region.ld
MEMORY { R : ORIGIN = 0x1000, LENGTH = 0x1000 }
SECTIONS { .text : { *(.text) } > R .info (INFO) : { *(.info) } > R .more (DSECT) : { *(.more) BYTE(1) } > R .data : { *(.data) } > R }
//# file: loose.ld
SECTIONS { . = 0x1000; .text : { *(.text) } .loose (INFO) : { *(.loose) } .data : { *(.data) } .rest : { *(.info) *(.more) } }
