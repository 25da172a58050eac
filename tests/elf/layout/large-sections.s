// Large-model sections are farthest from small code: .ltext and .lrodata first, .ldata and .lbss
// last, each in a segment of its own; with -z lrodata-after-bss .lrodata comes behind .lbss.
//# variant: default: -z nolrodata-after-bss
//# variant: after: -z lrodata-after-bss
//# variant: fixed: -Tldata-segment=0x10000000
//# @default,fixed section: .lrodata address<section(.rodata).address
//# @default section: .ldata address>=section(.bss).end
//# @default,fixed section: .lbss address>=section(.ldata).end
//# @after section: .lrodata address>=section(.lbss).end
//# @after section: .lbss address>=section(.bss).end
//# @after section: .ldata address>=section(.lrodata).end
//# @fixed section: .ldata address=0x10000000
//# section: .ltext address<section(.rodata).address
//# segment: LOAD flags=R sections~lrodata
//# @default segment: LOAD flags=RW sections~^.ldata,.lbss$
//# @after segment: LOAD flags=R sections~^.lrodata$
//# word: section(.ldata).address = section(.lrodata).address
//# peers:
.globl _start
.text
_start: movabs $lr, %rax
.section .ltext,"axl",@progbits
nop
.section .lrodata,"al",@progbits
lr: .quad 1
.section .ldata,"awl",@progbits
.dc.a lr
.section .lbss,"awl",@nobits
.zero 8
.section .rodata,"a",@progbits
.quad 1
.data
.quad 2
.bss
.zero 8
