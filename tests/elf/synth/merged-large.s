// Large mergeable sections are split by several threads, and pieces that repeat are told apart within a
// part: references find the same pieces, and the output holds each piece once.
//# driver: ld
//# variant: plain: -static
//# variant: tails: -static -O2
//# variant: gc: -static --gc-sections
//# run:
//# @plain,tails section: .strings size=18000
//# @plain,tails section: .wide size=16000
//# @plain,tails section: .long size=3000006
//# @plain,tails section: .one size=6
//# @plain,tails section: .two size=6
//# @plain,tails section: .eight size=40000
//# @plain,tails section: .distinct size=2400000
//# peers: ld lld
        .globl  _start
_start: lea     table(%rip), %rbx
        lea     table_end(%rip), %r12
1:      mov     (%rbx), %rax
        mov     8(%rbx), %rdx
        mov     16(%rbx), %rcx
        mov     (%rax), %rax
        shl     %cl, %rax
        mov     $1, %edi
        cmp     %rdx, %rax
        jne     2f
        add     $24, %rbx
        cmp     %r12, %rbx
        jb      1b
        xor     %edi, %edi
2:      mov     $60, %eax
        syscall
        .section .text.unused,"ax",@progbits
        .dc.a   .strings

# A place by its section, so that it chooses the piece; what is there, and by how many bits it is shifted so that the rest does not matter.
        .macro  expect place, value, bits
        .pushsection .table,"aw",@progbits
        .quad   \place, (\value) << (64 - \bits), 64 - \bits
        .popsection
        .endm
        .section .table,"aw",@progbits
table:
        .macro  digits size, number
        .irp    unit, 1000000, 100000, 10000, 1000, 100, 10, 1
        .dc.\size '0' + \number / \unit % 10
        .endr
        .endm

        .section .strings,"aMS",@progbits,1
        .set    n, 0
        .rept   150000
        .ascii  "the number"
        digits  b, (n % 1000)
        .byte   0
        .if     n % 997 == 0 || n > 149990
        expect  .strings+18*n+14, 0x303030+(n/100%10)+((n/10%10)<<8)+((n%10)<<16), 32
        .endif
        .set    n, n + 1
        .endr

        .section .wide,"aMS",@progbits,2
        .set    n, 0
        .rept   160000
        digits  w, (n % 1000)
        .word   0
        .if     n % 997 == 0 || n > 159990
        expect  .wide+16*n+8, 0x3000300030+(n/100%10)+((n/10%10)<<16)+((n%10)<<32), 64
        .endif
        .set    n, n + 1
        .endr

        .section .long,"aMS",@progbits,1
        .fill   3000000, 1, 'x'
        .asciz  ""
        .asciz  "tail"
        expect  .long+2999998, 0x7878, 24
        expect  .long+3000001, 0x6c696174, 40

        .section .one,"aM",@progbits,1
        .fill   300000, 8, 0x04030201
        .byte   0x77
        expect  .one+2399997, 0, 8
        expect  .one+2000002, 3, 8
        expect  .one+2400000, 0x77, 8

        .section .two,"aM",@progbits,2
        .fill   600000, 4, 0x00020001
        .word   0x7777
        expect  .two+2, 2, 16
        expect  .two+2399996, 1, 16
        expect  .two+2400001, 0x77, 8

        .section .eight,"aM",@progbits,8
        .set    n, 0
        .rept   300000
        .dc.a   n % 5000
        .if     n % 997 == 0
        expect  .eight+8*n, n%5000, 64
        .endif
        .set    n, n + 1
        .endr

        .section .distinct,"aM",@progbits,4
        .set    n, 0
        .rept   600000
        .long   n
        .if     n % 9973 == 0
        expect  .distinct+4*n, n, 32
        .endif
        .set    n, n + 1
        .endr

        .section .table,"aw",@progbits
table_end:
