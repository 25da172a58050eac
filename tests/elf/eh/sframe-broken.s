# A table that cannot be read is told of, and there is none then; no byte of it does harm.
//# driver: ld
//# peers: none
//# variant: magic: main.o magic.o
//# @magic warning: magic\.o:\(\.sframe\+0x0\): no \.sframe table; no \.sframe is made
//# variant: version: main.o good.o version.o
//# @version warning: version\.o:\(\.sframe\+0x0\): differs in version or ABI
//# variant: cut: main.o cut.o
//# @cut warning: cut\.o:\(\.sframe\+0x8\): \.sframe functions lie outside the section
//# variant: fatal: main.o magic.o --fatal-warnings
//# @fatal expect-error: no \.sframe table
//# @magic,version,cut no-section: .sframe
//# variant: changed: main.o good.o
//# variant: good: main.o good.o
//# @good section: .sframe size=54
//# @changed corrupt: overwrite good.o 1 ff
//# @changed corrupt: overwrite good.o 1 01
        .globl _start
_start: ret
//# file: good.s -Wa,--gsframe
        .globl function
function: .cfi_startproc
        push %rbx
        .cfi_adjust_cfa_offset 8
        pop %rbx
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_endproc
//# file: magic.s
        .section .sframe,"a"
        .long 1
//# file: version.s
        .section .sframe,"a"
        .short 0xdee2
        .byte 2, 0, 3, 0, 0xf8, 0
        .long 0, 0, 0, 0, 0
//# file: cut.s
        .section .sframe,"a"
        .short 0xdee2
        .byte 2, 0, 3, 0, 0xf8, 0
        .long 1, 0, 0, 0, 0
