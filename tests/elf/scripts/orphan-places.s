// An orphan stands behind the section that is like it and the symbols that are assigned there, before
// the next move of the location counter; one that is like nothing stands first. Common symbols that no
// statement takes go to .bss.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 no section of the linker's own follows those of a script
//# @first machines: x86-64 aarch64 i386 x32 riscv64 the assembler aligns no data
//# driver: ld
//# variant: behind: main.o -T behind.ld
//# variant: first: main.o -T first.ld
//# peers: ld
//# lint-except: writable-code code and data share a page here, as the script says
//# @behind section: more address=symbol(after).value
//# @behind symbol: after value=section(.text).end
//# @behind section: .data address=0x1040
//# @first section: .text address=0x1000
//# @first section: more address=section(.text).end
//# @first section: .data address=section(more).end
//# section: .bss size=12
    .globl _start
_start: ret
    .section more,"ax"
    .byte 1
    .data
    .byte 2
    .comm common,12,4
//# file: behind.ld
SECTIONS { . = 0x1000; .text : { *(.text) } after = .; . = ALIGN(64); .data : { *(.data) } }
//# file: first.ld
SECTIONS { . = 0x1000; .data : { *(.data) } }
