# A section that its address puts before its memory region is told so; one that ends with memory itself, at
# address 0, fits in a region that does.
//# @end machines: x86-64 aarch64 addresses, and what is made of them, have eight bytes
//# driver: ld
//# variant: before: -T before.ld
//# variant: behind: -T behind.ld
//# variant: end: -T end.ld
//# @before expect-error: section .?\.bss.? is not within (memory )?region .?B
//# @before no-error: bytes behind
//# @behind expect-error: (4 bytes behind the region|overflowed by 4 bytes)
//# @end section: .data address=0xfffffffffffffff0 size=16
//# link: main.o
//# peers: ld
.globl _start
_start: ret
.data
.quad 1, 2
.bss
.space 64
.section .note.GNU-stack,""
//# file: before.ld
MEMORY { A : ORIGIN = 0x1000, LENGTH = 0x100 B : ORIGIN = 0x2000, LENGTH = 1K }
SECTIONS { .text : { *(.text .data) } > A .bss ALIGN(0x20) : { *(.bss) } > B }
//# file: behind.ld
MEMORY { A : ORIGIN = 0x1000, LENGTH = 0x100 B : ORIGIN = 0x2000, LENGTH = 60 }
SECTIONS { .text : { *(.text .data) } > A .bss : { *(.bss) } > B }
//# file: end.ld
MEMORY { A : ORIGIN = 0x1000, LENGTH = 0x100 TOP : ORIGIN = 0xfffffffffffffff0, LENGTH = 16 }
SECTIONS { .text : { *(.text .bss) } > A .data : { *(.data) } > TOP }
