# What a memory region has no room for goes to the next output section that takes it; sections behind
# it go along (GNU ld manual, "--enable-non-contiguous-regions", whose example this is).
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 no section of the linker's own follows those of a script
//# driver: ld
//# variant: other: --enable-non-contiguous-regions
//# variant: none:
//# variant: full: --enable-non-contiguous-regions --defsym=last=4
//# variant: warned: --enable-non-contiguous-regions --enable-non-contiguous-regions-warnings
//# link: main.o -z noexecstack -T layout.ld
//# @other section: mem1 size=8 address=0x0
//# @other section: mem2 size=0x14 address=0x1000
//# @other section: mem3 size=1 address=0x2000
//# @other symbol: third value=0x1010
//# @none expect-error: section mem1 does not fit in memory region MEM1
//# @full expect-error: section mem3 does not fit in memory region MEM3
//# @warned warning: may change where .*main\.o:\(\.data\.1\) goes: it is in mem1, and mem2 matches it, too
//# peers: none
.globl _start
.section .data.1,"aw"
_start: .zero 8
.section .data.2,"aw"
.zero 0x10
.section .data.3,"aw"
third: .zero 4
.section .data.4,"aw"
.zero 1
//# file: layout.ld
MEMORY {
    MEM1 : ORIGIN = 0, LENGTH = 0x14
    MEM2 : ORIGIN = 0x1000, LENGTH = 0x14
    MEM3 : ORIGIN = 0x2000, LENGTH = DEFINED(last) ? 0 : 0x40
}
SECTIONS {
    mem1 : { *(.data.*) } >MEM1
    mem2 : { *(.data.*) } >MEM2
    mem3 : { *(.data.*) } >MEM3
}
