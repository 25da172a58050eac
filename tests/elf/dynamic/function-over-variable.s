// A program's definition behind a library is exported to it, whatever kind of symbol the library has.
//# shared: libvar.so var.o -soname=libvar.so
//# shared: libfunc.so func.o -soname=libfunc.so
//# variant: function: main.o libvar.so func.o
//# @function dynsym: foo type=FUNC
//# @function peers: lld
//# variant: variable: main.o libfunc.so var.o
//# @variable dynsym: foo type=OBJECT
//# @variable peers: ld lld
//# variant: before: main.o func.o libvar.so
//# @before no-dynsym: foo
//# @before peers: ld
//# link: -pie
.globl _start
_start: mov foo@GOTPCREL(%rip), %rax
.section .note.GNU-stack,"",@progbits
//# file: var.s
.data
.globl foo
.type foo, @object
.size foo, 8
foo: .quad 1
.section .note.GNU-stack,"",@progbits
//# file: func.s
.globl foo
.type foo, @function
foo: ret
.section .note.GNU-stack,"",@progbits
