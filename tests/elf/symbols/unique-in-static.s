# EI_OSABI says that the symbol table has an STB_GNU_UNIQUE, in a static program too.
//# driver: ld
//# variant: static: main.o
//# variant: stripped: main.o -s
//# variant: pie: main.o -pie --no-dynamic-linker
//# @static header: osabi=3
//# @static symbol: f bind=GNU_UNIQUE
//# @stripped header: osabi=0
//# @pie header: osabi=3
//# peers: ld
.globl _start
_start: ret
.globl f
.type f, @gnu_unique_object
.data
f: .quad 1
.section .note.GNU-stack,"",@progbits
