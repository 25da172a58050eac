// --section-ordering-file with a pattern a line, as gold reads it: what matches comes last, in the order
// of the list; a name without a wildcard beats all patterns.
//# link: -static --section-ordering-file=list
//# symbol: d value<symbol(b).value
//# symbol: b value<symbol(c).value
//# symbol: c value<symbol(a).value
//# symbol: z value<symbol(y).value
//# symbol: y value<symbol(x).value
//# peers:
.globl _start
.section .text.a,"ax"
a: ret
.section .text.b,"ax"
b: ret
.section .text.c,"ax"
c: ret
.section .text.d,"ax"
_start:
d: ret
.section .data.x,"aw"
x: .byte 1
.section .data.y,"aw"
y: .byte 1
.section .data.z,"aw"
z: .byte 1
.section .note.GNU-stack,"",@progbits
//# file: list
.text.[abc]

.text.c
  .text.a
.data.[xy]
.data.x
