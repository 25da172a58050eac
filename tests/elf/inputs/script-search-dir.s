// SEARCH_DIR of a script counts for libraries named behind it, and with -T for all.
//# variant: input: main.o dirs.txt -lthere
//# variant: script: main.o -lthere -T dirs.txt
//# variant: included: main.o outer.txt -lthere
//# variant: before: main.o -lthere dirs.txt
//# @before expect-error: unable to find library -lthere
//# sh: mkdir -p below
//# archive: below/libthere.a there.o
//# @input peers: ld lld
//# @script peers: ld
//# @included,before peers:
.include "machine.inc"
.globl _start
_start: calls there
.section .note.GNU-stack,"",@progbits
//# file: there.s
.globl there
there: ret
.section .note.GNU-stack,"",@progbits
//# file: dirs.txt
SEARCH_DIR(below)
//# file: outer.txt
INCLUDE dirs.txt
