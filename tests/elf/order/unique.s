// --unique=GLOB makes an output section of each input section that matches; without a pattern it does so
// for sections whose names are not usual ones.
//# link: main.o b.o -static
//# variant: glob: --unique=.text.[ab]
//# variant: orphans: --unique
//# @glob section: .text.a count=2
//# @glob section: .text.b count=1
//# @glob section: own count=1
//# @orphans section: own count=2
//# @orphans no-section: .text.a
//# section: .text count=1
//# section: .data count=1
//# peers: ld
.globl _start
.text
_start: ret
.section .text.a,"ax"
ret
.section .text.b,"ax"
ret
.section .text.c,"ax"
ret
.section own,"aw"
.byte 1
.section .data.x,"aw"
.byte 1
.section .note.GNU-stack,"",@progbits
//# file: b.s
.section .text.a,"ax"
ret
.section own,"aw"
.byte 2
.section .data.x,"aw"
.byte 1
.section .note.GNU-stack,"",@progbits
