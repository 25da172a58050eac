# The section that stays has the greatest alignment of those that it stands for.
//# peers: lld
//# link: --icf=all -e first
//# symbol: second value=symbol(first).value
//# symbol: first value%64
        .section .text.odd,"ax"
        .byte 0x90
        .section .text.first,"ax"
        .globl first
first:  mov $1, %eax
        ret
        .section .text.second,"ax"
        .balign 64
        .globl second
second: mov $1, %eax
        ret
