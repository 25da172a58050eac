# Sections of an OVERLAY begin at one address and are loaded one behind the other; symbols say where
# from, if they are referred to, and what follows begins behind the largest.
//# variant: addresses: addresses.ld
//# variant: regions: regions.ld
//# link: -z noexecstack --no-warn-rwx-segments -T
//# lint-except: section-address-overlap sections of an overlay take turns at one address
//# lint-except: load-order the segments of an overlay have one address
//# lint-except: section-offset a section of an overlay is looked for in the segment of another one
//# lint-except: writable-code overlays are code, and the data behind them is in a segment of theirs
//# section: .o1 address=0x4000 size=20
//# section: .o2 address=0x4000 size=36
//# section: .o.3 address=0x4000 size=12
//# section: .data address=0x4024
//# @addresses segment: LOAD address=0x4000 physical=0x8000
//# @addresses symbol: __load_start_o1 value=0x8000
//# @addresses symbol: __load_stop_o2 value=0x8038
//# @addresses symbol: __load_start_o3 value=0x8038
//# @regions symbol: __load_start_o1 value=0x1001
//# @regions symbol: __load_start_o3 value=0x1039
//# @regions symbol: data_load value=0x1045
//# no-symbol: __load_stop_o1
//# bytes: section(.o2).end-1 = 02
//# peers: ld
.section .x, "ax"
.fill 20, 1, 1
.section .y, "ax"
.fill 36, 1, 2
.section .z, "ax"
.fill 12, 1, 3
.text
.globl _start
_start: ret
.data
.dc.a __load_start_o1, __load_stop_o2, __load_start_o3
//# file: addresses.ld
SECTIONS {
    .text 0x1000 : { *(.text) }
    OVERLAY 0x4000 : NOCROSSREFS AT (0x8000) { .o1 { *(.x) } .o2 { *(.y) } .o.3 { *(.z) } =0x90 } =0x1234
    .data : { *(.data) }
}
//# file: regions.ld
MEMORY {
    FLASH (rx) : ORIGIN = 0x1000, LENGTH = 0x1000
    RAM : ORIGIN = 0x4000, LENGTH = 0x1000
}
SECTIONS {
    .text : { *(.text) } >FLASH
    OVERLAY : { .o1 { *(.x) } .o2 { *(.y) } .o.3 { *(.z) } } >RAM AT>FLASH
    .data : { *(.data) } >RAM AT>FLASH
    data_load = LOADADDR(.data);
}
