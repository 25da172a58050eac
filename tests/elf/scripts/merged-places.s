# Merged strings and constants stand where the first of their kind stands among the inputs of a
# statement, whatever sorts these.
//# driver: ld
//# variant: order: main.o b.o -T order.ld
//# variant: sorted: main.o b.o -T sorted.ld
//# variant: reverse: main.o b.o -T reverse.ld
//# variant: subalign: main.o b.o -T subalign.ld
//# link: -e 0 -Map=map
//# @order bytes: 0x10000 = a1 a1 a1 a1 a1 a1 a1 a1 6f 77 6e 00 74 77 6f 00 c1 00 00 00 c2 00 00 00 a2
//# @order bytes: 0x10020 = b1
//# @sorted bytes: 0x10000 = c1 00 00 00 c2 00 00 00 a1
//# @sorted bytes: 0x10010 = b1 b1 b1 b1 b1 b1 b1 b1 6f 77 6e 00 74 77 6f 00 a2
//# @reverse bytes: 0x10000 = b2 b2 b2 b2 b2 b2 b2 b2 a2
//# @reverse bytes: 0x10010 = 6f 77 6e 00 74 77 6f 00 b1
//# @subalign bytes: 0x10000 = a1 a1 a1 a1 a1 a1 a1 a1 00 00 00 00 00 00 00 00 6f 77 6e 00
//# section: .rodata size>=32
//# file-matches: map  \.rodata\.str +0x0*100[0-9a-f]+ +0x[48] main\.o
//# peers: none
.section .rodata.a,"a"
.quad 0xa1a1a1a1a1a1a1a1
.section .rodata.str,"aMS",@progbits,1
.string "own"
.section .rodata.0,"aM",@progbits,4
.long 0xc1
.section .rodata.z,"a"
.quad 0xa2a2a2a2a2a2a2a2
.section .note.GNU-stack,""
//# file: b.s
.section .rodata.b,"a"
.quad 0xb1b1b1b1b1b1b1b1
.section .rodata.str,"aMS",@progbits,1
.string "two"
.section .rodata.0,"aM",@progbits,4
.long 0xc2
.section .rodata.z,"a"
.quad 0xb2b2b2b2b2b2b2b2
.section .note.GNU-stack,""
//# file: order.ld
SECTIONS { .rodata 0x10000 : { *(.rodata.*) } }
//# file: sorted.ld
SECTIONS { .rodata 0x10000 : { *(SORT(.rodata.*)) } }
//# file: reverse.ld
SECTIONS { .rodata 0x10000 : { *(REVERSE(SORT(.rodata.*))) } }
//# file: subalign.ld
SECTIONS { .rodata 0x10000 : SUBALIGN(16) { *(.rodata.*) } }
