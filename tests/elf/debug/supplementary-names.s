# Names that stand in a supplementary file (DW_FORM_GNU_strp_alt, DW_FORM_strp_sup), and functions
# declared there (DW_FORM_GNU_ref_alt, DW_FORM_ref_sup4), are in no index, and never under what stands
# at the same offset of the program's own strings. Units that are written anew refer to the file still. gdb
# finds the names although two objects name the file, also from a separate debug file.
//# driver: ld
//# peers: none
//# requires: readelf gdb llvm-dwarfdump-19
//# shared: one.debug file.o --build-id=0x0102030405060708090a0b0c0d0e0f1011121314
//# link: main.o two.o
//# variant: plain:
//# variant: gdb-index: --gdb-index
//# variant: names: --debug-names
//# variant: dedup: --dedup-debug-types
//# variant: dedup-all: --dedup-debug-types=all
//# variant: separate: --separate-debug-file=out.dbg
//# variant: relocatable: -r
//# variant: sup-gdb-index: --gdb-index | -Wa,--defsym,sup=1
//# variant: sup-names: --debug-names | -Wa,--defsym,sup=1
//# variant: sup-dedup-all: --dedup-debug-types=all | -Wa,--defsym,sup=1
//# @gdb-index,sup-gdb-index check: readelf --debug-dump=gdb_index $OUT | grep -q ' shown: 0 \[global, function\]'
//# @gdb-index,sup-gdb-index check: ! readelf --debug-dump=gdb_index $OUT | grep -qE 'wrong|hidden'
//# @gdb-index,sup-gdb-index check: test $(readelf --debug-dump=gdb_index $OUT | grep -c '\[global, function\]') = 2
//# @names,sup-names check: llvm-dwarfdump-19 --debug-names $OUT | sed -n 's/.*String: 0x[0-9a-f]* //p' | sort | tr -d '\n' | grep -qx '"linkage""shown""shown2"'
//# @plain,gdb-index,names,dedup,dedup-all,separate check: gdb -nx -batch -ex 'info line hidden' -ex 'info functions hidden' $OUT 2>&1 >said; grep -q "hidden(" said && ! grep -qi 'could not\|cannot\|error' said
//# @plain,gdb-index,names,dedup,dedup-all,separate section: .gnu_debugaltlink size=30
//# @separate look-at: out.dbg
//# @separate section: .gnu_debugaltlink type=PROGBITS size=30
        .set form_string, 0x1f21
        .set form_entry, 0x1f20
        .ifdef sup
        .set form_string, 0x1d
        .set form_entry, 0x1c
        .endif
        .globl _start
        .text
_start: ret
named:  ret
        .section .debug_abbrev, "", @progbits
        .uleb128 1, 0x11
        .byte 1
        .uleb128 3, form_string, 0x13, 0xb, 0x11, 1, 0x12, 7, 0, 0
        .uleb128 2, 0x2e
        .byte 0
        .uleb128 3, form_string, 0x3f, 0x19, 0x11, 1, 0x12, 7, 0, 0
        .uleb128 3, 0x2e
        .byte 0
        .uleb128 3, 8, 0x3f, 0x19, 0x11, 1, 0x12, 7, 0, 0
        .uleb128 4, 0x2e
        .byte 0
        .uleb128 0x47, form_entry, 0x3f, 0x19, 0x11, 1, 0x12, 7, 0, 0
        .uleb128 5, 0x2e
        .byte 0
        .uleb128 3, form_string, 0x6e, 8, 0x3f, 0x19, 0x11, 1, 0x12, 7, 0, 0
        .uleb128 0
        .section .debug_info, "", @progbits
        .long .Lend - . - 4
        .ifdef sup
        .value 5
        .byte 1, 8
        .long .debug_abbrev
        .else
        .value 4
        .long .debug_abbrev
        .byte 8
        .endif
        .uleb128 1
        .long 1
        .byte 12
        .dc.a _start, 2
        .uleb128 2
        .long 1
        .dc.a _start, 1
        .uleb128 3
        .asciz "shown"
        .dc.a _start + 1, 1
        .uleb128 4
        .long 0x1c
        .dc.a _start + 1, 1
        .uleb128 5
        .long 1
        .asciz "linkage"
        .dc.a _start + 1, 1
        .uleb128 0
.Lend:
        .section .debug_str, "MS", @progbits, 1
        .byte 0
        .asciz "wrong"
        .ifdef sup
        .section .debug_sup, "", @progbits
        .short 5
        .byte 0
        .asciz "one.debug"
        .uleb128 20
        .byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
        .else
        .section .gnu_debugaltlink, "", @progbits
        .asciz "one.debug"
        .byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
        .endif
//# file: two.s
        .set form_string, 0x1f21
        .set form_entry, 0x1f20
        .ifdef sup
        .set form_string, 0x1d
        .set form_entry, 0x1c
        .endif
        .text
two:    ret
        ret
        .section .debug_abbrev, "", @progbits
        .uleb128 1, 0x11
        .byte 1
        .uleb128 3, form_string, 0x13, 0xb, 0x11, 1, 0x12, 7, 0, 0
        .uleb128 2, 0x2e
        .byte 0
        .uleb128 3, form_string, 0x3f, 0x19, 0x11, 1, 0x12, 7, 0, 0
        .uleb128 3, 0x2e
        .byte 0
        .uleb128 3, 8, 0x3f, 0x19, 0x11, 1, 0x12, 7, 0, 0
        .uleb128 4, 0x2e
        .byte 0
        .uleb128 0x47, form_entry, 0x3f, 0x19, 0x11, 1, 0x12, 7, 0, 0
        .uleb128 5, 0x2e
        .byte 0
        .uleb128 3, form_string, 0x6e, 8, 0x3f, 0x19, 0x11, 1, 0x12, 7, 0, 0
        .uleb128 0
        .section .debug_info, "", @progbits
        .long .Lend - . - 4
        .ifdef sup
        .value 5
        .byte 1, 8
        .long .debug_abbrev
        .else
        .value 4
        .long .debug_abbrev
        .byte 8
        .endif
        .uleb128 1
        .long 1
        .byte 12
        .dc.a two, 2
        .uleb128 2
        .long 1
        .dc.a two, 1
        .uleb128 3
        .asciz "shown2"
        .dc.a two + 1, 1
        .uleb128 4
        .long 0x1c
        .dc.a two + 1, 1
        .uleb128 5
        .long 1
        .asciz "linkage"
        .dc.a two + 1, 1
        .uleb128 0
.Lend:
        .section .debug_str, "MS", @progbits, 1
        .byte 0
        .asciz "wrong"
        .ifdef sup
        .section .debug_sup, "", @progbits
        .short 5
        .byte 0
        .asciz "one.debug"
        .uleb128 20
        .byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
        .else
        .section .gnu_debugaltlink, "", @progbits
        .asciz "one.debug"
        .byte 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
        .endif
//# file: file.s
        .section .debug_str, "MS", @progbits, 1
        .byte 0
        .asciz "hidden"
        .section .debug_abbrev, "", @progbits
        .uleb128 1, 0x3c
        .byte 1
        .uleb128 0x13, 0xb, 3, 8, 0, 0
        .uleb128 2, 0x2e
        .byte 0
        .uleb128 3, 8, 0x3f, 0x19, 0x3c, 0x19, 0, 0
        .uleb128 0
        .section .debug_info, "", @progbits
        .long .Lend - . - 4
        .value 4
        .long .debug_abbrev
        .byte 8
        .uleb128 1
        .byte 12
        .asciz "common of file"
        .uleb128 2
        .asciz "declared"
        .uleb128 0
.Lend:
