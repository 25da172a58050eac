# --no-discard-section takes one --discard-section back.
//# peers: none
//# link: --discard-section=.one --discard-section .two --no-discard-section .one
//# section: .one size=1
//# no-section: .two
        .text
        .globl _start
_start: ret
        .section .one,"a"
        .byte 1
        .section .two,"a"
        .byte 2
