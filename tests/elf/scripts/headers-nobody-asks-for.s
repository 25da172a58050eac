// SIZEOF_HEADERS loads the headers only where its value counts, and not in a PROVIDE that nothing needs.
//# @unused machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le pages of 1 MiB are larger than the distances here
//# @used machines: x86-64 i386 x32 pages have 4 KiB
//# variant: unused: -T unused.ld
//# variant: used: -T used.ld
//# link: main.o -e 0
//# @unused segment: LOAD address=0x10000
//# @used segment: LOAD address=0xf000
//# @unused lint-except: writable-code one segment
//# peers: ld
.text
.quad 0
.section .note.GNU-stack,"",@progbits
//# file: unused.ld
SECTIONS { . = 0x10000; .text : { *(.text) PROVIDE(nobody = SIZEOF_HEADERS); } }
//# file: used.ld
SECTIONS { . = 0x10000; .text : { *(.text) somebody = SIZEOF_HEADERS; } }
