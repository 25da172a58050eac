# CLASS, as lld has it: a definition takes sections where it stands, and they are where output
# sections refer to it; flags choose among them.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld
//# section: .rodata size=4 address=0x1000
//# bytes: section(.rodata).address = 02 03 05 01
//# bytes: section(.other).address = 04
//# peers: none
.globl _start
.text
_start: ret
.section .rodata.a,"a"
.byte 1
.section .rodata.b,"a"
.byte 2
.section .rodata.c,"ax"
.byte 3
.section .rodata.d,"a"
.byte 4
.section .rodata.e,"ax"
.byte 5
//# file: layout.ld
SECTIONS {
    CLASS(a) { *(.rodata.a) }
    CLASS(rest) { *(.rodata.c) *(.rodata.d .rodata.e) }
    . = 0x1000;
    .rodata : {
        *(.rodata.*)
        INPUT_SECTION_FLAGS(SHF_EXECINSTR) CLASS(rest)
        CLASS(a)
    }
    .other : { INPUT_SECTION_FLAGS(!SHF_EXECINSTR) CLASS(rest) }
    .text : { *(.text) }
}
