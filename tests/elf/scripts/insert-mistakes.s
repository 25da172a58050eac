# INSERT names an output section that the layout has; what the default layout cannot have is told.
//# variant: unknown: unknown.ld
//# variant: region: region.ld
//# variant: side: side.ld
//# link: -T
//# @unknown expect-error: unknown.ld:2: .nowhere not found for insert
//# @region expect-error: region.ld:2: .mine cannot have a load address where it is inserted into the default layout
//# @side expect-error: side.ld:1: expected AFTER or BEFORE, found 'BESIDE'
//# peers: none
.globl _start
_start: ret
//# file: unknown.ld
SECTIONS { .mine : { *(mine) } }
INSERT AFTER .nowhere;
//# file: region.ld
SECTIONS {
    .mine : AT(0x1000) { *(mine) } }
INSERT AFTER .data;
//# file: side.ld
SECTIONS { .mine : { *(mine) } } INSERT BESIDE .data;
