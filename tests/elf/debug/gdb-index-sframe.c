// Objects with .sframe, which has no section of its own in the output, have their debug information
// in indexes, and what is discarded by a script is in none.
//# machines: x86-64 aarch64 the assembler has no SFrame
//# driver: ld
//# requires: readelf
//# peers: none
//# compile: -g -Wa,--gsframe
//# link: main.o -e main
//# variant: gdb-index: --gdb-index
//# variant: names: --debug-names
//# variant: dedup: --dedup-debug-types
//# variant: dedup-all: --dedup-debug-types=all
//# variant: discarded: --gdb-index -T discard.ld
//# @gdb-index,discarded check: readelf --debug-dump=gdb_index $OUT | grep -q ' main: 0 \[global, function\]'
//# @names check: readelf --debug-dump=gdb_index $OUT | grep -q ' main: .*DW_TAG_subprogram'
//# @gdb-index,names,dedup,dedup-all section: .sframe size>0
//# @discarded no-section: .comment
int main(void) { return 0; }
//# file: discard.ld
SECTIONS { .text : { *(.text) } /DISCARD/ : { *(.comment .own .note*) } }
