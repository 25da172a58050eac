// A unit that cannot be read is told with its object and offset, and is not in .gdb_index. All others
// are, those before it in its object too.
//# driver: ld
//# requires: readelf
//# link: main.o good.o bad.o --gdb-index
//# variant: right:
//# variant: length: | -DLENGTH=0x7000
//# variant: code: | -DCODE=77
//# variant: form: | -DFORM=0x77
//# variant: version: | -DVERSION=6
//# variant: address: | -DSIZE=9
//# variant: table: | -DTABLE=0x7000
//# variant: cut: | -DCUT
//# @right no-warning: .
//# @length warning: bad\.o:\(\.debug_info\+0x15\): unit is longer than its section; \.gdb_index is made without this unit
//# @code warning: bad\.o:\(\.debug_info\+0x22\): broken entry; \.gdb_index is made without this unit
//# @form warning: bad\.o:\(\.debug_info\+0x15\): unknown form of values; \.gdb_index is made without this unit
//# @version warning: bad\.o:\(\.debug_info\+0x15\): unknown DWARF version; \.gdb_index is made without this unit
//# @address warning: bad\.o:\(\.debug_info\+0x15\): absurd size of addresses; \.gdb_index is made without this unit
//# @table warning: bad\.o:\(\.debug_info\+0x15\): truncated abbreviations; \.gdb_index is made without this unit
//# @cut warning: bad\.o:\(\.debug_info\+0x15\): truncated unit header; \.gdb_index is made without this unit
//# check: readelf --debug-dump=gdb_index $OUT 2>readelf.txt >index
//# check: grep -q '\] good: 0 \[global, function\]' index
//# check: grep -q '\] before: 1 \[global, function\]' index
//# @right check: grep -q '\] after: 2 \[global, function\]' index
//# @length,code,form,version,address,table,cut check: ! grep -q 'after' index
//# peers: none
void _start(void) {}
//# file: good.S
#define UNIT(name, version, table, size, code) \
        .long   9f - . - 4; .short version; .long table; .byte size; \
        .uleb128 1; .uleb128 code; .asciz name; .byte 0; 9:
        .section .debug_abbrev,"",@progbits
1:      .uleb128 1, 0x11; .byte 1, 0, 0
        .uleb128 2, 0x2e; .byte 0; .uleb128 3, 8, 0x3f, 0x19, 0, 0
        .byte 0
        .section .debug_info,"",@progbits
        UNIT("good", 4, 1b, 8, 2)
//# file: bad.S
#ifndef VERSION
#define VERSION 4
#endif
#ifndef SIZE
#define SIZE 8
#endif
#ifndef CODE
#define CODE 2
#endif
#ifndef FORM
#define FORM 8
#endif
#ifndef TABLE
#define TABLE .Lown
#endif
        .section .debug_abbrev,"",@progbits
.Lgood: .uleb128 1, 0x11; .byte 1, 0, 0
        .uleb128 2, 0x2e; .byte 0; .uleb128 3, 8, 0x3f, 0x19, 0, 0
        .byte 0
.Lown:  .uleb128 1, 0x11; .byte 1, 0, 0
        .uleb128 2, 0x2e; .byte 0; .uleb128 3, FORM, 0x3f, 0x19, 0, 0
        .byte 0
        .section .debug_info,"",@progbits
        .long   9f - . - 4; .short 4; .long .Lgood; .byte 8
        .uleb128 1, 2; .asciz "before"; .byte 0
9:
#ifdef LENGTH
        .long   LENGTH
#elif defined CUT
        .short  7
#else
        .long   9f - . - 4
#endif
#ifndef CUT
        .short  VERSION; .long TABLE; .byte SIZE
        .uleb128 1, CODE; .asciz "after"; .byte 0
#endif
9:
