// .gnu.linkonce sections of one name are kept once.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# link: -static
//# section: .text size=8
//# peers: ld
.section .gnu.linkonce.t.f,"ax",@progbits
.weak f
f: ret
.text
.globl _start
_start: .zero 7
.section .note.GNU-stack,"",@progbits
//# file: b.s
.section .gnu.linkonce.t.f,"ax",@progbits
.weak f
f: ret
.section .note.GNU-stack,"",@progbits
