# `.reloc`, which EFI images have, is no table of relocations although its name begins like one.
//# machines: x86-64 aarch64 addresses, and what is made of them, have eight bytes
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# section: .reloc type=PROGBITS entsize=0
//# peers: ld
.globl _start
_start: ret
.section .reloc,"a"
.long 0, 10
//# file: layout.ld
SECTIONS { .text : { *(.text) } .reloc : { *(.reloc) } }
