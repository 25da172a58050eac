# Where no segment holds the ELF header, __ehdr_start is not defined: a weak reference is null, a
# strong one an error.
//# @strong,weak-loaded,strong-loaded machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le pages of 1 MiB are larger than the distances here
//# driver: ld
//# variant: weak: weak.o -T away.ld
//# variant: strong: main.o -T away.ld
//# variant: headers: weak.o -T away-headers.ld
//# variant: weak-loaded: weak.o -T loaded.ld
//# variant: strong-loaded: main.o -T loaded.ld
//# archive: unused.a weak.o
//# @weak,headers word: section(.data).address = 0
//# @weak-loaded,strong-loaded word: section(.data).address = 0x10000
//# @strong expect-error: undefined (symbol|reference).*__ehdr_start
//# peers: ld
.globl _start
_start: ret
.data
.dc.a __ehdr_start
.section .note.GNU-stack,""
//# file: weak.s
.globl _start
.weak __ehdr_start
_start: ret
.data
.dc.a __ehdr_start
.section .note.GNU-stack,""
//# file: away.ld
SECTIONS { . = 0x10000; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data) } }
//# file: away-headers.ld
PHDRS { text PT_LOAD; data PT_LOAD; }
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) } :text . = ALIGN(0x1000); .data : { *(.data) } :data }
//# file: loaded.ld
SECTIONS { . = 0x10000 + SIZEOF_HEADERS; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data) } }
