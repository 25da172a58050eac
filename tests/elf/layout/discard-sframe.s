# --discard-sframe leaves out stack traces, in a joined object, too; --no-discard-section takes it
# back.
//# peers: none
//# variant: kept:
//# variant: gone: --discard-sframe
//# variant: joined: -r --discard-sframe
//# variant: back: --discard-sframe --no-discard-section=.sframe
//# @kept,back section: .sframe size=28
//# @gone,joined no-section: .sframe
        .text
        .globl _start
_start: ret
        .section .sframe,"a",@progbits
        .short 0xdee2
        .byte 2, 0, 3, 0, 0xf8, 0
        .long 0, 0, 0, 0, 0
