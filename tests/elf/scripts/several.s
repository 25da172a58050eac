# Several -T are joined in their order; -dT lays the output out if these only insert.
//# @default machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# driver: ld
//# variant: joined: -T memory.ld -T sections.ld
//# variant: default: -dT layout.ld -T insert.ld
//# link: main.o -z noexecstack --no-warn-rwx-segments
//# @joined section: .text address=0x4000
//# @joined symbol: length value=0x1000
//# @default section: .text address=0x5000
//# @default section: .own address=0x5001
//# peers: ld
.globl _start
_start: ret
.section .x,"a"
.byte 1
//# file: memory.ld
MEMORY { FLASH : ORIGIN = 0x4000, LENGTH = 4K }
//# file: sections.ld
SECTIONS { .text : { *(.text .x) } >FLASH length = LENGTH(FLASH); }
//# file: layout.ld
SECTIONS { .text 0x5000 : { *(.text) } .rest : { *(.x) } }
//# file: insert.ld
SECTIONS { .own : { *(.x) } } INSERT AFTER .text;
