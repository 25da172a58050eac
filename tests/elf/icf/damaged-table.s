# A table of significant addresses that is cut short or names no symbol counts as none.
//# peers: none
//# variant: short: --icf=safe | -Wa,--defsym,BYTE=0x80
//# variant: beyond: --icf=safe | -Wa,--defsym,BYTE=0x70
//# symbol: called_b value=symbol(called_a).value
//# symbol: taken_b value!=symbol(taken_a).value
        .section .text.taken_a,"ax"
        .globl taken_a
taken_a: mov $1, %eax
        ret
        .section .text.taken_b,"ax"
        .globl taken_b
taken_b: mov $1, %eax
        ret
        .section .text.called_a,"ax"
        .globl called_a
called_a: mov $2, %eax
        ret
        .section .text.called_b,"ax"
        .globl called_b
called_b: mov $2, %eax
        ret
        .text
        .globl _start
_start: call called_a
        call called_b
        lea taken_a(%rip), %rax
        lea taken_b(%rip), %rax
        ret
        .section .llvm_addrsig,"eo",@0x6fff4c03,0
        .byte BYTE
