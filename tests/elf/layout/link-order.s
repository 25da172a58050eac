// SHF_LINK_ORDER sections follow the order of the sections that they are linked to.
//# link: -static
//# symbol: meta_a value<symbol(meta_b).value
//# symbol: a value<symbol(b).value
.globl _start
.text
_start: ret
.section .text.a,"ax",@progbits
a: ret
.section .text.b,"ax",@progbits
b: ret
.section meta,"ao",@progbits,.text.b
meta_b: .quad 2
.section meta,"ao",@progbits,.text.a
meta_a: .quad 1
.section .note.GNU-stack,"",@progbits
