// Of the shared objects in an archive those are told of that a symbol would be taken of: before what is
// taken in their place. What they define for others comes from objects behind them.
//# shared: liba.so f.o
//# shared: libb.so f.o --soname=b
//# shared: libc.so f.o --soname=c
//# shared: libg.so g.o
//# archive: liball.a liba.so libb.so f.o libc.so libg.so g.o
//# link: main.o liball.a
//# warning: liball.a\(liba.so\)
//# warning: liball.a\(libb.so\)
//# warning: liball.a\(libg.so\)
//# no-warning: liball.a\(libc.so\)
//# symbol: f section=.text
//# symbol: g section=.text
//# peers: none
.include "machine.inc"
.globl _start
_start: calls f
.section .note.GNU-stack,"",@progbits
//# file: f.s
.include "machine.inc"
.globl f
.type f, @function
f: calls g
ret
.section .note.GNU-stack,"",@progbits
//# file: g.s
.globl g
.type g, @function
g: ret
.section .note.GNU-stack,"",@progbits
