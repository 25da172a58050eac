// Of type units with one signature that are in no group the first one is kept.
//# driver: ld
//# requires: llvm-dwarfdump-19
//# variant: units: --dedup-debug-types
//# variant: all: --dedup-debug-types=all
//# variant: off: --dedup-debug-types --no-dedup-debug-types
//# link: main.o one.o two.o
//# no-warning: .
//# check: llvm-dwarfdump-19 --debug-info $OUT >info
//# @units,all check: test $(grep -c DW_TAG_type_unit info) = 1
//# @off check: test $(grep -c DW_TAG_type_unit info) = 2
//# check: test $(grep -c DW_TAG_compile_unit info) = 2
//# check: test $(grep -c 'DW_AT_type.*0x1122334455667788' info) = 2
//# @units,all check: llvm-dwarfdump-19 --verify $OUT | grep -q 'No errors'
//# peers: none
        .globl  _start
_start: ret
//# file: unit.h
        .section .debug_abbrev,"",@progbits
.Ltable: .uleb128 1, 0x41; .byte 1; .uleb128 0x13, 5, 0, 0
        .uleb128 2, 0x13; .byte 0; .uleb128 3, 8, 0x0b, 0x0b, 0, 0
        .uleb128 3, 0x11; .byte 1; .uleb128 0x13, 5, 0, 0
        .uleb128 4, 0x34; .byte 0; .uleb128 3, 8, 0x49, 0x20, 0, 0
        .byte   0
        .section .debug_info,"",@progbits
1:      .long   9f - . - 4; .short 5; .byte 2, 8; .long .Ltable; .quad 0x1122334455667788
        .long   2f - 1b
        .uleb128 1; .short 0x1a
2:      .uleb128 2; .asciz "part"; .byte 4, 0
9:      .long   9f - . - 4; .short 5; .byte 1, 8; .long .Ltable
        .uleb128 3; .short 0x1a
        .uleb128 4; .asciz "whole"; .quad 0x1122334455667788; .byte 0
9:
//# file: one.S
#include "unit.h"
//# file: two.S
#include "unit.h"
