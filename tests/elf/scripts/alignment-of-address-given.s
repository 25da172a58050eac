// ALIGNOF is the alignment that the inputs ask for, also of a section whose address has less; the section
// header has that of the address.
//# link: main.o -e 0 -T script.ld
//# section: .text address=0x10020 align=32
//# bytes: .x = 40 00 00 00
.text
.balign 64
.quad 1
.section .note.GNU-stack,"",@progbits
//# file: script.ld
SECTIONS {
  .text 0x10020 : { *(.text) }
  .x : { LONG(ALIGNOF(.text)) }
}
