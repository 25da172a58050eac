# A function that only a library defines is no entry point: the program starts with its code, with a warning.
//# driver: ld
//# shared: libe.so e.o
//# link: main.o libe.so -e ent
//# warning: cannot find entry symbol ent
//# header: entry=section(.text).address
//# peers: ld
.globl main
main: ret
.section .note.GNU-stack,"",@progbits
//# file: e.s
.globl ent
.type ent, @function
ent: ret
.section .note.GNU-stack,"",@progbits
