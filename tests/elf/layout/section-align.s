// --section-align raises the alignment of a section.
//# variant: raised: --section-align=.data=4096 --section-align=.foo=256
//# variant: wrong: --section-align=.data=3
//# @raised section: .data align=4096 address%4096
//# @raised section: .foo align=256 address%256
//# @wrong expect-error: section-align: bad value '\.data=3'.*power of 2
//# peers:
.globl _start
_start: ret
.data
.quad 1
.section .foo,"aw"
.quad 2
