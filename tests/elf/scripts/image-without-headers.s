# Images that are not ELF have no headers: SIZEOF_HEADERS is 0, as with GNU ld and lld.
//# machines: x86-64 aarch64 i386 x32 words are those of this processor
//# driver: ld
//# variant: stated: -T layout.ld
//# variant: assigned: --defsym=x=SIZEOF_HEADERS --defsym=start=0x1008
//# link: main.o --oformat binary
//# check: test "$(od -An -tx8 -w16 -N16 "$OUT" | tr -d ' ')" = 00000000000000000000000000001008
//# peers: ld lld
.globl _start
_start: .quad x, start
.section .note.GNU-stack,""
//# file: layout.ld
SECTIONS { x = SIZEOF_HEADERS; . = 0x1008 + SIZEOF_HEADERS; start = .; .text : { *(.text) } }
