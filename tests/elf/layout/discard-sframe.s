# --discard-sframe leaves out stack traces, in a joined object, too; --no-discard-section takes it
# back.
//# peers: none
//# variant: kept:
//# variant: gone: --discard-sframe
//# variant: joined: -r --discard-sframe
//# variant: back: --discard-sframe --no-discard-section=.sframe
//# @kept,back section: .sframe size=4
//# @gone,joined no-section: .sframe
        .text
        .globl _start
_start: ret
        .section .sframe,"a",@progbits
        .long 1
