// Thread-local data of more than 2 GiB: no code model helps.
//# peers: none
//# link: -static
//# error-text: ld: error: main.o:(.text+0x4): relocation R_X86_64_TPOFF32 out of range: -2684354568 is not in [-2147483648, 2147483647]; references 'large'
//# error-text: >>> defined in main.o
//# error-text: >>> 536870920 (0x20000008) below the lower limit
//# error-text: >>> the largest thread-local section is .tbss of main.o with 2560 MiB: allocate such data at run time
.globl _start
_start: mov %fs:large@tpoff, %eax
.section .tbss,"awT",@nobits
large: .zero 0xa0000000
small: .quad 0
