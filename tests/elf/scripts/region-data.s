# The attribute `w` of a memory region means data, also constants, and not what is in no file.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# section: .rodata address=0x2000
//# section: .text address=0x1000
//# peers: ld
.globl _start
_start: ret
.section .rodata,"a"
.byte 1
//# file: layout.ld
MEMORY {
    CODE (x) : ORIGIN = 0x1000, LENGTH = 4K
    DATA (w) : ORIGIN = 0x2000, LENGTH = 4K
}
SECTIONS { .text : { *(.text) } .rodata : { *(.rodata) } }
