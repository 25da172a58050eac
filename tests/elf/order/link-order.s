// Sections with SHF_LINK_ORDER stand in the order of the sections they are linked to, wherever
// those are put.
//# link: -static --shuffle-sections=.text*=-1
//# symbol: b value<symbol(a).value
//# symbol: note_b value<symbol(note_a).value
//# peers: lld
.globl _start
.section .text.a,"ax"
_start:
a: ret
.section .text.b,"ax"
b: ret
.section notes,"ao",@progbits,.text.a
note_a: .byte 1
.section notes,"ao",@progbits,.text.b,unique,1
note_b: .byte 2
.section .note.GNU-stack,"",@progbits
