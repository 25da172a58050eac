// Input sections are gathered under the usual output names.
//# link: -static
//# no-section: .text.hot.a
//# no-section: .data.a
//# no-section: .rodata.a
//# no-section: .bss.a
//# symbol: a section=.text
//# symbol: b section=.data
//# symbol: c section=.rodata
//# symbol: d section=.bss
//# symbol: e section=own
.globl _start
.section .text.a,"ax"
a: ret
.text
_start: ret
.section .data.a,"aw"
b: .quad 1
.section .rodata.a,"a"
c: .quad 1
.section .bss.a,"aw",@nobits
d: .zero 8
.section own,"aw"
e: .quad 1
.section .note.GNU-stack,"",@progbits
