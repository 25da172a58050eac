# Sections of an overlay have one address and load addresses of their own, in images, too; a section
# with an address and without a memory region is in none.
//# driver: ld
//# requires: objcopy cmp
//# link: main.o -z noexecstack -T layout.ld
//# section: .a address=0x8000
//# section: .b address=0x8000
//# segment: LOAD physical=0x1100 address=0x8000
//# segment: LOAD physical=0x1102 address=0x8000
//# check: $LD main.o -T layout.ld -o image --oformat binary && objcopy -O binary out other && cmp image other
//# lint-except: section-offset a section of an overlay is looked for in the segment of another one
//# peers: ld
.globl _start
_start: ret
.section .a,"a"
.byte 1, 2
.section .b,"a"
.byte 3, 4
//# file: layout.ld
MEMORY { ROM (rx) : ORIGIN = 0x1000, LENGTH = 4K }
SECTIONS {
    .text : { *(.text) } >ROM
    OVERLAY 0x8000 : AT(0x1100) { .a { *(.a) } .b { *(.b) } }
}
