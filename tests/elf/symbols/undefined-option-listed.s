// A name that -u asks for and nobody defines is listed as undefined.
//# link: -u wanted
//# peers: ld
//# symbol: wanted section=UND
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
