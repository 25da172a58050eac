// .gnu.linkonce sections of one name are kept once.
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
