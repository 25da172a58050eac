// Sections for Java classes are kept: the startup code finds them by the name of the section.
//# link: --gc-sections
//# section: .jcr
//# no-section: dead
//# peers: ld lld
.globl _start
_start: nop
.section .jcr, "aw"
.quad 0
.section dead, "aw"
.quad 0
.section .note.GNU-stack,"",@progbits
