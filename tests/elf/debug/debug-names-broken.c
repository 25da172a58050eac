// A unit that cannot be read is told with its object and offset, and the table of names does not
// cover it; it covers all others. Names without a place in .debug_str are added there.
//# driver: ld
//# requires: llvm-dwarfdump-19
//# link: main.o good.o bad.o --debug-names
//# variant: right:
//# variant: length: | -DLENGTH=0x7000
//# variant: code: | -DCODE=77
//# variant: version: | -DVERSION=6
//# variant: nowhere: | -DNOWHERE
//# @right no-warning: .
//# @length warning: bad\.o:\(\.debug_info\+0x16\): unit is longer than its section; \.debug_names is made without this unit
//# @code warning: bad\.o:\(\.debug_info\+0x23\): broken entry; \.debug_names is made without this unit
//# @version warning: bad\.o:\(\.debug_info\+0x16\): unknown DWARF version; \.debug_names is made without this unit
//# @nowhere warning: \.debug_names is made without 3 uses of names that stand in no \.debug_str
//# @right,length,code,version check: llvm-dwarfdump-19 --debug-names $OUT >index
//# @right,length,code,version check: grep -q '"good"' index && grep -q '"before"' index
//# @right check: grep -q 'CU count: 3' index && grep -q '"after"' index
//# @length,code,version check: grep -q 'CU count: 2' index && ! grep -q '"after"' index
//# peers: none
void _start(void) {}
//# file: good.S
#define UNIT(name, version, size, code) \
        .long   9f - . - 4; .short version; .long .Ltable; .byte size; \
        .uleb128 1; .uleb128 code; .asciz name; .byte 1, 0; 9:
        .section .debug_abbrev,"",@progbits
.Ltable: .uleb128 1, 0x11; .byte 1, 0, 0
        .uleb128 2, 0x24; .byte 0; .uleb128 3, 8, 0x0b, 0x0b, 0, 0
        .byte 0
        .section .debug_info,"",@progbits
        UNIT("good", 4, 8, 2)
#ifndef NOWHERE
        .section .debug_str,"MS",@progbits,1
        .asciz  "something"
#endif
//# file: bad.S
#ifndef VERSION
#define VERSION 4
#endif
#ifndef CODE
#define CODE 2
#endif
        .section .debug_abbrev,"",@progbits
.Ltable: .uleb128 1, 0x11; .byte 1, 0, 0
        .uleb128 2, 0x24; .byte 0; .uleb128 3, 8, 0x0b, 0x0b, 0, 0
        .byte 0
        .section .debug_info,"",@progbits
        .long   9f - . - 4; .short 4; .long .Ltable; .byte 8
        .uleb128 1, 2; .asciz "before"; .byte 1, 0
9:
#ifdef LENGTH
        .long   LENGTH
#else
        .long   9f - . - 4
#endif
        .short  VERSION; .long .Ltable; .byte 8
        .uleb128 1, CODE; .asciz "after"; .byte 1, 0
9:
