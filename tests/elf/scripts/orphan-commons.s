# Common symbols that no statement takes stand behind the inputs of the output section `.bss`; if
# nothing has made it they make it, at the end of all.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# driver: ld
//# variant: lonely: -T lonely.ld
//# variant: joined: -T joined.ld
//# link: main.o -z noexecstack --no-warn-rwx-segments
//# @lonely section: .bss address=0x3000
//# @joined section: .bss address=0x2008
//# @joined symbol: last section=.bss
//# peers: ld
.globl _start
_start: .long 0
.bss
.zero 4
.comm shared,4,8
//# file: joined.ld
SECTIONS {
    .text 0x1000 : { *(.text) }
    . = 0x2000;
    .own : { LONG(1) LONG(2) }
    . = 0x3000;
    .last : { last = .; }
}
//# file: lonely.ld
SECTIONS {
    .text 0x1000 : { *(.text) }
    . = 0x2000;
    .own : { LONG(1) LONG(2) }
    . = 0x3000;
    .last : { last = .; }
    /DISCARD/ : { *(.bss) }
}
