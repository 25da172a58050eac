# A number of threads that no machine has is as good as many.
//# driver: ld
//# link: -static --threads=1000000
//# run: exit=3
//# peers: none
        .globl  _start
_start: mov     $60, %eax
        mov     $3, %edi
        syscall
