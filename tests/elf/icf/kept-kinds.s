# What a program enumerates, starts with or writes to is not folded, and neither are sections of
# different output sections. Empty sections vanish in any case.
//# peers: lld
//# link: --icf=all
//# section: items size=16
//# section: .init size=8
//# section: .data size=16
//# section: .text size=14
//# section: .elsewhere size=4
//# symbol: f2 value=symbol(f1).value
//# symbol: other value!=symbol(f1).value
        .section items,"a",@progbits,unique,1
        .quad 1
        .section items,"a",@progbits,unique,2
        .quad 1
        .section .init,"ax",@progbits,unique,3
        .fill 4, 1, 0x90
        .section .init,"ax",@progbits,unique,4
        .fill 4, 1, 0x90
        .section .data.a,"aw"
        .quad 5
        .section .data.b,"aw"
        .quad 5
        .section .text.f1,"ax"
        .globl f1
f1:     .fill 4, 1, 0x90
        .section .text.f2,"ax"
        .globl f2
f2:     .fill 4, 1, 0x90
        .section .elsewhere,"ax"
        .globl other
other:  .fill 4, 1, 0x90
        .section .text._start,"ax"
        .globl _start
_start: lea __start_items(%rip), %rax
        mov %eax, %ebx
        .byte 0x90
