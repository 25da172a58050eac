# --gdb-index: what a partial unit names is its importer's, also before DWARF 5, where the header does
# not say what a unit is. Linkage names are in the index beside the others, but for languages that
# mangle them.
//# requires: readelf
//# link: --gdb-index
//# check: readelf --debug-dump=gdb_index $OUT | grep -q ' shared: 1 \[static, function\]'
//# check: readelf --debug-dump=gdb_index $OUT | grep -q ' exported: 1 \[static, function\]'
//# peers: none
.globl _start
_start: ret
.section .debug_abbrev,"",@progbits
.uleb128 1, 0x3c
.byte 1
.uleb128 0, 0
.uleb128 2, 0x2e
.byte 0
.uleb128 3, 8, 0x6e, 8, 0x11, 1, 0x12, 7, 0, 0
.uleb128 3, 0x11
.byte 1
.uleb128 0x13, 0xb, 0, 0
.uleb128 4, 0x3d
.byte 0
.uleb128 0x18, 0x10, 0, 0
.uleb128 0
.section .debug_info,"",@progbits
.Lpartial:
.long .Lend1 - . - 4
.value 4
.long .debug_abbrev
.byte 8
.Lentry:
.uleb128 1
.uleb128 2
.asciz "shared"
.asciz "exported"
.dc.a _start, 1
.uleb128 0
.Lend1:
.long .Lend2 - . - 4
.value 4
.long .debug_abbrev
.byte 8
.uleb128 3
.byte 2
.uleb128 4
.long .Lentry
.uleb128 0
.Lend2:
