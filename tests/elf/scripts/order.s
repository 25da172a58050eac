// Inputs of a statement stand as its files do, or as its words sort them; the first statement that
// fits takes a section, and EXCLUDE_FILE leaves it to another.
//# driver: ld
//# link: main.o other.o -T layout.ld
//# peers: ld
//# bytes: .plain = 03 01 02 04
//# bytes: .byname = 11 12 13
//# bytes: .reversed = 23 22 21
//# bytes: .byalign = 32 31
//# bytes: .byprio = 41 42 43
//# bytes: .rest = 51
    .globl _start
_start: ret
    .section plain.b,"a"
    .byte 3
    .section plain.a,"a"
    .byte 1
    .section name.c,"a"
    .byte 0x13
    .section name.a,"a"
    .byte 0x11
    .section back.1,"a"
    .byte 0x21
    .section back.3,"a"
    .byte 0x23
    .section align.1,"a"
    .byte 0x31
    .section prio.200,"a"
    .byte 0x42
    .section prio.1000,"a"
    .byte 0x43
//# file: other.s
    .section plain.b,"a"
    .byte 2
    .section plain.excluded,"a"
    .byte 4
    .section excluded,"a"
    .byte 0x51
    .section name.b,"a"
    .byte 0x12
    .section back.2,"a"
    .byte 0x22
    .section align.2,"a"
    .p2align 4
    .byte 0x32
    .section prio.3,"a"
    .byte 0x41
//# file: layout.ld
ENTRY(_start)
SECTIONS {
  . = 0x10000;
  .text : { *(.text) }
  .plain : { *(plain.*) *(EXCLUDE_FILE(*other.o) excluded) }
  .byname : { *(SORT_BY_NAME(name.*)) }
  .reversed : { *(REVERSE(SORT(back.*))) }
  .byalign : { *(SORT_BY_ALIGNMENT(align.*)) }
  .byprio : { *(SORT_BY_INIT_PRIORITY(prio.*)) }
  .rest : { *other.o(excluded) }
}
