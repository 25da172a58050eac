// -z keep-data-section-prefix and -z keep-text-section-prefix: what is hot and what is unlikely to
// be used has sections of its own.
//# variant: data: -z keep-data-section-prefix
//# variant: text: -z keep-text-section-prefix
//# variant: none: -z keep-data-section-prefix -z nokeep-data-section-prefix
//# link: -pie
//# @data section: .data.hot size=8
//# @data section: .data.unlikely size=8
//# @data section: .rodata.hot size=16
//# @data section: .bss.unlikely type=NOBITS size=8
//# @data section: .data.rel.ro.hot
//# @data segment: GNU_RELRO sections~.data.rel.ro.hot
//# @data section: .data size=8
//# @data,none no-section: .text.hot
//# @text section: .text.hot
//# @text,none no-section: .data.hot
//# @none section: .data size=24
//# peers:
.globl _start
_start: ret
.section .text.hot.f,"ax"
ret
.section .data.x,"aw"
.quad 1
.section .data.hot.x,"aw"
.quad 2
.section .data.unlikely.x,"aw"
.quad 3
.section .rodata.hot.x,"a"
.quad 4
.section .rodata.cst8.hot.,"a"
.quad 5
.section .bss.unlikely.x,"aw",@nobits
.quad 0
.section .data.rel.ro.hot.x,"aw"
.dc.a _start
