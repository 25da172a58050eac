# Equal strings and constants are merged, but not at -O0, where lld has time for nothing, unless
# the option asks for it.
//# peers: none
//# variant: default:
//# variant: fast: -O0
//# variant: fast-merged: -O0 --string-merge
//# variant: not: --no-string-merge
//# variant: again: --no-string-merge --string-merge
//# @default,fast-merged,again section: .rodata size=13
//# @fast,not section: .rodata size=26
//# symbol: _start value=section(.text).address
        .text
        .globl _start
_start: lea first(%rip), %rax
        lea second(%rip), %rax
        .irp name, first, second
        .section .rodata.str1.1.\name,"aMS",@progbits,1
\name:  .string "same"
        .section .rodata.cst8.\name,"aM",@progbits,8
        .quad 7
        .endr
