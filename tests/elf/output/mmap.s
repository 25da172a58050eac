# Filling a mapping and writing buffers make the same file; the last of the two options counts.
//# driver: ld
//# peers: none
//# link: -static main.o
//# variant: mapped: --mmap-output-file
//# variant: written: --mmap-output-file --no-mmap-output-file
//# sh: $LD -static main.o -o plain
//# check: cmp "$OUT" plain
//# run: exit=3
.include "machine.inc"
        .globl  _start
_start: exit 3
        .data
        .fill   3000000, 1, 1
