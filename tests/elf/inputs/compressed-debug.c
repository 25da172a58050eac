// Compressed debug sections come out as they would have been.
//# variant: zlib: | -gz=zlib
//# variant: zstd: | -gz=zstd
//# variant: none: | -gz=none
//# compile: -g
//# run
//# section: .debug_info flags!=C
//# check: objdump --dwarf=info $OUT | grep -q 'DW_AT_name.*main.c'
//# @zstd cc: clang-19
int main(void) { return 0; }
