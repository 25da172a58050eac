# __ehdr_start where the header is in no segment matters to sections that are kept alone.
//# @kept machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 m68k s390x ppc64le pages of 1 MiB are larger than the distances here
//# driver: ld
//# variant: collected: -T script.ld --gc-sections
//# variant: hidden: -T script.ld --gc-sections | -Wa,--defsym,hidden=1
//# variant: kept: -T script.ld --no-gc-sections
//# variant: discarded: -T discard.ld
//# link: main.o
//# @collected,hidden,discarded no-section: .data
//# @kept expect-error: undefined (reference to `|symbol: )__ehdr_start
//# @collected,hidden,discarded peers: ld lld
//# @kept peers: ld
.globl _start
_start: ret
.data
.dc.a __ehdr_start
.ifdef hidden
.hidden __ehdr_start
.endif
.section .note.GNU-stack,"",@progbits
//# file: script.ld
ENTRY(_start)
SECTIONS { . = 0x10000; .text : { *(.text) } .data : { *(.data) } }
//# file: discard.ld
ENTRY(_start)
SECTIONS { . = 0x10000; .text : { *(.text) } /DISCARD/ : { *(.data) } }
