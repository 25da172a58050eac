// A member that stands before a library is taken only if something wants it before the library.
//# archive: libmember.a f.o
//# archive: libmiddle.a middle.o
//# shared: libshared.so f.o -soname=libshared.so
//# shared: libuser.so middle.o -soname=libuser.so
//# variant: behind: libmember.a libshared.so main.o
//# @behind peers: ld lld
//# variant: member-behind: libmember.a libshared.so start.o libmiddle.a
//# @member-behind peers: ld lld
//# variant: library-behind: libmember.a libshared.so lone.o libuser.so
//# @library-behind peers: ld lld
//# @behind,member-behind dynsym: f section=UND
//# @behind,member-behind,library-behind no-symbol: mark
//# variant: between: libmember.a main.o libshared.so
//# @between peers: lld
//# variant: both: main.o libmember.a libshared.so middle.o
//# variant: asked: -u f libmember.a libshared.so main.o
//# @between,both,asked symbol: mark
//# peers: ld lld
.include "machine.inc"
.globl _start
_start: calls f
.section .note.GNU-stack,"",@progbits
//# file: f.s
.globl f, mark
.type f, @function
f: ret
mark:
.section .note.GNU-stack,"",@progbits
//# file: middle.s
.include "machine.inc"
.globl middle
middle: calls f
.section .note.GNU-stack,"",@progbits
//# file: start.s
.include "machine.inc"
.globl _start
_start: calls middle
.section .note.GNU-stack,"",@progbits
//# file: lone.s
.globl _start
_start: nop
.section .note.GNU-stack,"",@progbits
