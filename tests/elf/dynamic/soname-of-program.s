// A program gets the name of -soname too, if the loader reads it at all.
//# link: main.o -soname prog.so
//# variant: pie: -pie
//# variant: dynamic: libx.so
//# variant: static:
//# shared: libx.so x.o
//# @pie,dynamic dynamic: SONAME value=prog.so
//# @static no-section: .dynamic
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: x.s
.globl x
x: ret
.section .note.GNU-stack,"",@progbits
