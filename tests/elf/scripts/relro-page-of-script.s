// Memory that is read-only after relocation ends with a page of the size that DATA_SEGMENT_ALIGN
// names, whatever page size the options say.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# @small machines: x86-64 i386 x32 pages have 4 KiB
//# driver: ld
//# variant: large: -T large.ld
//# variant: option: -T large.ld -z max-page-size=0x8000
//# variant: small: -T small.ld
//# link: main.o -z relro
//# peers: ld
//# @large,option section: .data address=0x3ffff8
//# @large,option symbol: behind value=0x400000
//# @small section: .data address=0x2ff8
//# @small symbol: behind value=0x3000
    .globl _start
    .text
_start: ret
    .data
    .quad 1
//# file: large.ld
SECTIONS { . = 0x1000; .text : { *(.text) } . = DATA_SEGMENT_ALIGN(0x200000, 0x1000); .data : { *(.data) } . = DATA_SEGMENT_RELRO_END(0, .); behind = .; . = DATA_SEGMENT_END(.); }
//# file: small.ld
SECTIONS { . = 0x1000; .text : { *(.text) } . = DATA_SEGMENT_ALIGN(CONSTANT(MAXPAGESIZE), 0x1000); .data : { *(.data) } . = DATA_SEGMENT_RELRO_END(0, .); behind = .; . = DATA_SEGMENT_END(.); }
