// Gaps that a script leaves in code have whole instructions that do nothing, which end where the gap does:
// code behind it begins there. The bytes before them are zero.
//# driver: ld
//# link: main.o -e 0 -T layout.ld
//# bytes: symbol(first).value-6 = 00 00 1f 20 03 d5 11
//# bytes: symbol(second).value-11 = 00 00 00 1f 20 03 d5 1f 20 03 d5 22
//# bytes: symbol(third).value-1 = 00 33
//# peers: none
.section .a,"ax"
first: .byte 0x11
.section .b,"ax"
second: .byte 0x22
.section .c,"ax"
third: .byte 0x33
.section .note.GNU-stack,"",@progbits
//# file: layout.ld
SECTIONS {
  .text 0x10000 : { BYTE(0) BYTE(0) . = . + 6; *(.a) . = ALIGN(4); . = . + 8; *(.b) . = . + 1; *(.c) }
}
