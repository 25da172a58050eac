# What lies between the inputs of two statements is filled as that between inputs of one: with the
# pattern of the section, or in code with instructions that do nothing.
//# driver: ld
//# link: main.o -z noexecstack --no-warn-rwx-segments -T layout.ld
//# bytes: section(.text).address = 01 90 90 90 02 90 90
//# bytes: section(.data).address = 03 aa bb aa 04 cc
//# peers: none
.globl _start
.section .text.a,"ax"
_start: .byte 1
.section .text.b,"ax"
.balign 4
.byte 2
.section .data.a,"aw"
.byte 3
.section .data.b,"aw"
.balign 4
.byte 4
//# file: layout.ld
SECTIONS {
    .text 0x1000 : { *(.text.a) *(.text.b) . = . + 2; }
    .data 0x2000 : { *(.data.a) *(.data.b) FILL(0xcc) . = . + 1; } =0xaabb
}
