// A .gnu.linkonce section and a COMDAT group of one section with its key stand for each other if
// they define the same: the earlier one is kept. A group of other symbols is not meant.
//# @other machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# variant: section: -static main.o old.o new.o
//# variant: group: -static main.o new.o old.o
//# variant: other: -static main.o old.o other.o
//# @section,group section: .text size=8
//# @section bytes: symbol(f).value = 90 c3
//# @group bytes: symbol(f).value = c3
//# @other section: .text size=9
//# section: .rodata size=1
//# peers: ld
.section .text,"ax",@progbits
.globl _start
_start: .zero 6
.section .note.GNU-stack,"",@progbits
//# file: old.s
.section .gnu.linkonce.t.f,"ax",@progbits
.weak f
.type f, @function
f: nop
ret
.section .gnu.linkonce.r.f,"a",@progbits
.byte 1
.section .note.GNU-stack,"",@progbits
//# file: new.s
.section .text.f,"axG",@progbits,f,comdat
.weak f
.type f, @function
f: ret
nop
.section .note.GNU-stack,"",@progbits
//# file: other.s
.section .text.g,"axG",@progbits,f,comdat
.weak g
.type g, @function
g: ret
.section .note.GNU-stack,"",@progbits
