// A unit that is broken is told, and left as it is; if others might know how to read it, it may
// refer to any of them, and all are.
//# driver: ld
//# requires: llvm-dwarfdump-19
//# link: main.o unit.o unit2.o bad.o --dedup-debug-types
//# variant: right:
//# variant: length: | -DLENGTH=0x7000
//# variant: code: | -DCODE=77
//# variant: version: | -DVERSION=6
//# variant: form: | -DFORM=0x2001
//# @right no-warning: .
//# @length warning: bad\.o:\(\.debug_info\+0x0\): unit is longer than its section; --dedup-debug-types leaves this unit as it is
//# @code warning: bad\.o:\(\.debug_info\+0x[0-9a-f]*\): unknown abbreviation; --dedup-debug-types leaves this unit as it is
//# @version warning: bad\.o:\(\.debug_info\+0x0\): unknown DWARF version; --dedup-debug-types leaves all units as they are
//# @form warning: bad\.o:\(\.debug_info\+0x0\): unknown form of values; --dedup-debug-types leaves all units as they are
//# check: llvm-dwarfdump-19 --debug-info $OUT >info 2>/dev/null; test $(grep -c DW_TAG_type_unit info) -ge 1
//# @right,length,code check: test $(grep -c DW_TAG_type_unit info) = 1
//# @version,form check: test $(grep -c DW_TAG_type_unit info) = 2
//# peers: none
void _start(void) {}
//# file: unit.h
        .section .debug_abbrev,"",@progbits
.Ltable: .uleb128 1, 0x41; .byte 1; .uleb128 0x13, 5, 0, 0
        .uleb128 2, 0x13; .byte 0; .uleb128 3, 8, 0x0b, 0x0b, 0, 0
        .byte   0
        .section .debug_info,"",@progbits
1:      .long   9f - . - 4; .short 5; .byte 2, 8; .long .Ltable; .quad 0x1122334455667788
        .long   2f - 1b
        .uleb128 1; .short 0x1a
2:      .uleb128 2; .asciz "part"; .byte 4, 0
9:
//# file: unit.S
#include "unit.h"
//# file: unit2.S
#include "unit.h"
//# file: bad.S
#ifndef VERSION
#define VERSION 4
#endif
#ifndef CODE
#define CODE 2
#endif
#ifndef FORM
#define FORM 0x0b
#endif
#ifndef LENGTH
#define LENGTH 9f - . - 4
#endif
        .section .debug_abbrev,"",@progbits
.Ltable: .uleb128 1, 0x11; .byte 1, 0, 0
        .uleb128 2, 0x24; .byte 0; .uleb128 3, 8, 0x0b, FORM, 0, 0
        .byte   0
        .section .debug_info,"",@progbits
        .long   LENGTH; .short VERSION; .long .Ltable; .byte 8
        .uleb128 1, CODE; .asciz "after"; .byte 1, 0
9:
