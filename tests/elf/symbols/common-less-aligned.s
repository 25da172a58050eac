// Code that relies on the alignment of a common symbol meets a definition that has less: told as by GNU ld.
//# variant: object: d.o
//# variant: archive: libd.a
//# variant: fits: e.o
//# variant: common: c.o
//# archive: libd.a d.o
//# archive: unused.a e.o c.o
//# link: main.o -e 0
//# @object warning: ^ld: warning: alignment 4 of symbol `x' in d.o is smaller than 32 in main.o$
//# @archive warning: alignment 4 of symbol `x' in libd.a\(d.o\) is smaller than 32 in main.o
//# @fits,common no-warning: alignment
//# @object,archive warning: size of symbol `x' changed from 16 in main.o to 12 in .*d.o
//# @fits,common no-warning: size
//# peers: ld
.comm x, 16, 32
.section .note.GNU-stack,"",@progbits
//# file: d.s
.data
.globl x
.p2align 5
.long 1
.type x, @object
.size x, 12
x: .fill 12
.section .note.GNU-stack,"",@progbits
//# file: e.s
.data
.globl x
.p2align 5
x: .fill 16
.section .note.GNU-stack,"",@progbits
//# file: c.s
.comm x, 4, 4
.section .note.GNU-stack,"",@progbits
