// --sort-section sorts input sections by name, or by alignment, largest first; sections that the
// default script does not name stay as they are.
//# variant: name: --sort-section=name
//# variant: alignment: --sort-section=alignment
//# variant: none: --sort-section=alignment --sort-section=none
//# link: -static
//# @name symbol: a value<symbol(b).value
//# @name symbol: b value<symbol(c).value
//# @alignment symbol: c value<symbol(b).value
//# @alignment symbol: b value<symbol(a).value
//# @none symbol: b value<symbol(a).value
//# @none symbol: a value<symbol(c).value
//# symbol: one value<symbol(two).value
//# @name,alignment peers: ld
//# @none peers:
.globl _start
.text
_start: ret
.section .data.b,"aw"
.p2align 3
b: .byte 1
.section .data.a,"aw"
a: .byte 1
.section .data.c,"aw"
.p2align 4
c: .byte 1
.section own,"aw"
one: .byte 1
.section own,"aw",@progbits,unique,1
.p2align 3
two: .byte 1
.section .note.GNU-stack,"",@progbits
