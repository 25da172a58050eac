// Two addresses on the command line are too far apart. There is a large section, but it is not why.
//# peers: none
//# link: -static -Ttext=0x401000 -Tdata=0x900000000
//# error-text: ld: error: main.o:(.text+0x2): relocation R_X86_64_PC32 out of range: 38650507258 is not in [-2147483648, 2147483647]; references 'variable'
//# error-text: >>> defined in main.o
//# error-text: >>> 36503023611 (0x87fbfeffb) above the upper limit
//# error-text: >>> addresses on the command line set the sections this far apart
.globl _start, variable
_start: mov variable(%rip), %eax
.data
variable: .long 1
.bss
.zero 0x20000000
