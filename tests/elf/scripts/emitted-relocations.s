# With --emit-relocs an output section of several statements has one table of relocations.
//# driver: ld
//# link: main.o -z noexecstack --emit-relocs -T layout.ld
//# section: .rela.text size=48 type=RELA count=1
//# peers: ld
.globl _start
.section .text.a,"ax"
_start: .quad _start
.section .text.b,"ax"
.quad _start
//# file: layout.ld
SECTIONS { .text : { *(.text.a) *(.text.b) } }
