// Of common symbols of different sizes, the first of the largest is the one: maps tell it.
//# link: -Map=out.map
//# file-matches: out.map COMMON +0x[0-9a-f]+ +0x[0-9a-f]+ b\.o
//# symbol: value size=16
//# no-file-matches: out.map COMMON +0x[0-9a-f]+ +0x[1-9a-f][0-9a-f]* (main|c)\.o
//# peers: ld
.globl _start
_start: leaq value(%rip), %rax
.comm value, 4, 4
.section .note.GNU-stack,"",@progbits
//# file: b.s
.comm value, 16, 8
.section .note.GNU-stack,"",@progbits
//# file: c.s
.comm value, 16, 4
.section .note.GNU-stack,"",@progbits
