// Millions of empty strings take little memory; whatever points among them finds one, and strings next to
// them stay.
//# driver: ld
//# sh: (ulimit -v 400000; "$LD" main.o -static -o small)
//# link: -static
//# section: .rodata size<20000
//# run:
//# peers: ld
        .globl  _start
_start: mov     $1, %edi
        lea     within(%rip), %rax
        cmpb    $0, (%rax)
        jne     1f
        lea     after(%rip), %rax
        cmpl    $0x00636261, (%rax)
        jne     1f
        cmpb    $0, wide(%rip)
        jne     1f
        xor     %edi, %edi
1:      mov     $60, %eax
        syscall
        .section .rodata.str1.1,"aMS",@progbits,1
        .asciz  "first"
        .zero   20000000
within: .zero   5001
after:  .asciz  "abc"
        .section .rodata.str4.4,"aMS",@progbits,4
        .long   'a', 0
        .zero   8000000
wide:   .zero   8000
        .long   'b', 0
