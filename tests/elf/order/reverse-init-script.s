// --reverse-sections and shuffles leave the parts of _init and _fini as they are, where a script places them, too:
// each runs into the next. Others are reversed. GNU ld has no such option, lld shuffles them.
//# peers: none
//# driver: ld
//# variant: reverse: --reverse-sections
//# variant: pattern: --shuffle-sections=*=-1
//# link: main.o second.o -T layout.ld
//# bytes: .init = 90 90 90 90 c3
//# bytes: .text = 66 90 31 c0
//# bytes: section(.text).address+4 = 50 58
.section .init, "ax"
.byte 0x90, 0x90, 0x90, 0x90
.section .fini, "ax"
.byte 0x50
.text
.globl _start
_start: xor %eax, %eax
.section .note.GNU-stack,"",@progbits
//# file: second.s
.section .init, "ax"
ret
.section .fini, "ax"
.byte 0x58
.text
.byte 0x66, 0x90
.section .note.GNU-stack,"",@progbits
//# file: layout.ld
SECTIONS { . = 0x10000; .init : { KEEP(*(SORT_NONE(.init))) } .text : { *(.text) *(.fini) } }
