// --shuffle-sections=GLOB=-1 reverses the sections that the pattern matches and leaves the others in
// their places; the option may be repeated,
// and its argument be a word of its own.
//# link: -static --shuffle-sections=.text.[a-c]=-1 --shuffle-sections .data*=-1
//# symbol: c value<symbol(plain).value
//# symbol: plain value<symbol(b).value
//# symbol: b value<symbol(a).value
//# symbol: second value<symbol(first).value
//# symbol: one value<symbol(two).value
//# peers: lld
.globl _start
.section .text.a,"ax"
a: ret
.section .text.plain,"ax"
_start:
plain: ret
.section .text.b,"ax"
b: ret
.section .text.c,"ax"
c: ret
.section .data.first,"aw"
first: .byte 1
.section .data.second,"aw"
second: .byte 1
.section own,"aw"
one: .byte 1
.section own2,"aw"
two: .byte 1
.section .note.GNU-stack,"",@progbits
