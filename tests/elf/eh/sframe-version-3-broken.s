# Tables of version 3 that cannot be read, and those of different versions, are told of, and there is
# no table then; no byte of one does harm.
//# machines: x86-64 aarch64 i386 x32 numbers are written byte by byte
//# driver: ld
//# peers: none
//# variant: mixed: main.o good.o version-2.o
//# @mixed warning: version-2\.o:\(\.sframe\+0x0\): differs in version or ABI from the \.sframe before; no
//# variant: mixed-other-way: main.o version-2.o good.o
//# @mixed-other-way warning: good\.o:\(\.sframe\+0x0\): differs in version or ABI
//# variant: from-section: main.o from-section.o
//# @from-section warning: from-section\.o:\(\.sframe\+0x3\): starts of \.sframe functions do not count
//# variant: flag: main.o flag.o
//# @flag warning: flag\.o:\(\.sframe\+0x3\): unknown flags
//# variant: attributes: main.o attributes.o
//# @attributes warning: attributes\.o:\(\.sframe\+0x1c\): malformed rows of an \.sframe function
//# variant: rows: main.o rows.o
//# @rows warning: rows\.o:\(\.sframe\+0x1c\): malformed rows
//# variant: shared: main.o shared-rows.o
//# @shared warning: shared-rows\.o:\(\.sframe\+0x2c\): rows of \.sframe functions overlap
//# variant: unrelocated: main.o unrelocated.o
//# @unrelocated warning: unrelocated\.o:\(\.sframe\+0x0\): not one relocation for each function
//# variant: later: main.o later.o
//# @later warning: later\.o:\(\.sframe\+0x2\): unknown version
//# variant: fatal: main.o flag.o --fatal-warnings
//# @fatal expect-error: unknown flags
//# @mixed,mixed-other-way,from-section,flag,attributes,rows,shared,unrelocated,later no-section: .sframe
//# @mixed,mixed-other-way,from-section,flag,attributes,rows,shared,unrelocated,later no-segment: GNU_SFRAME
//# variant: empty: main.o empty.o good.o
//# @empty section: .sframe size=52
//# variant: empty-alone: main.o empty.o
//# @empty-alone bytes: .sframe = e2 de 03 05 03 00 f8 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
//# variant: changed: main.o good.o
//# @changed corrupt: overwrite good.o 1 ff
//# @changed corrupt: overwrite good.o 1 02
        .globl _start
_start: ret
//# file: good.s
        .globl function
function: ret
        .section .sframe, "a", @0x6ffffff4
        .short 0xdee2
        .byte 3, 4, 3, 0, 0xf8, 0
        .long 1, 1, 8, 0, 16
        .quad function - .
        .long 1, 0
        .byte 1, 0, 0, 0, 0, 0, 3, 8
//# file: empty.s
        .section .sframe, "a", @0x6ffffff4
        .short 0xdee2
        .byte 3, 0, 3, 0, 0xf8, 0
        .long 0, 0, 0, 0, 0
//# file: version-2.s
        .section .sframe, "a"
        .short 0xdee2
        .byte 2, 4, 3, 0, 0xf8, 0
        .long 0, 0, 0, 0, 0
//# file: later.s
        .section .sframe, "a", @0x6ffffff4
        .short 0xdee2
        .byte 4, 4, 3, 0, 0xf8, 0
        .long 0, 0, 0, 0, 0
//# file: flag.s
        .section .sframe, "a", @0x6ffffff4
        .short 0xdee2
        .byte 3, 6, 3, 0, 0xf8, 0
        .long 0, 0, 0, 0, 0
//# file: from-section.s
f:      ret
        .section .sframe, "a", @0x6ffffff4
        .short 0xdee2
        .byte 3, 1, 3, 0, 0xf8, 0
        .long 1, 0, 5, 0, 16
        .quad f - .
        .long 1, 0
        .byte 0, 0, 0, 0, 0
//# file: attributes.s
f:      ret
        .section .sframe, "a", @0x6ffffff4
        .short 0xdee2
        .byte 3, 4, 3, 0, 0xf8, 0
        .long 1, 0, 4, 0, 16
        .quad f - .
        .long 1, 0
        .byte 0, 0, 0, 0
//# file: rows.s
f:      ret
        .section .sframe, "a", @0x6ffffff4
        .short 0xdee2
        .byte 3, 4, 3, 0, 0xf8, 0
        .long 1, 2, 8, 0, 16
        .quad f - .
        .long 1, 0
        .byte 2, 0, 0, 0, 0, 0, 3, 8
//# file: shared-rows.s
f:      ret
        .section .sframe, "a", @0x6ffffff4
        .short 0xdee2
        .byte 3, 4, 3, 0, 0xf8, 0
        .long 2, 2, 8, 0, 32
        .quad f - .
        .long 1, 0
        .quad f - .
        .long 1, 0
        .byte 1, 0, 0, 0, 0, 0, 3, 8
//# file: unrelocated.s
        .section .sframe, "a", @0x6ffffff4
        .short 0xdee2
        .byte 3, 4, 3, 0, 0xf8, 0
        .long 1, 1, 8, 0, 16
        .quad 0x1000
        .long 1, 0
        .byte 1, 0, 0, 0, 0, 0, 3, 8
