// An option puts a function where no call reaches, which no code model changes.
//# peers: none
//# link: -static --defsym=far_away=0x123456789abc -Ttext=0x401000
//# error-text: ld: error: main.o:(.text+0x1): relocation R_X86_64_PLT32 out of range: 20015994145463 is not in [-2147483648, 2147483647]; references 'far_away'
//# error-text: >>> defined in --defsym
//# error-text: >>> 20013846661816 (0x1233d6388ab8) above the upper limit
.globl _start
_start: call far_away
