# A section that only an option gives an address stands behind the script and moves no other.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the assembler aligns no section to 16 bytes by itself
//# driver: ld
//# link: main.o -z noexecstack --no-warn-rwx-segments -T layout.ld -Tbss=0x8000
//# section: .bss address=0x8000
//# section: .zeros address=0x2004
//# peers: ld
.globl _start
_start: ret
.data
.long 1
.bss
.zero 4
.section .zeros,"aw",@nobits
.zero 4
//# file: layout.ld
SECTIONS { .text 0x1000 : { *(.text) } .data 0x2000 : { *(.data) } }
