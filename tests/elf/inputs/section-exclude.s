// SHF_EXCLUDE sections are left out.
//# link: -static
//# no-section: secret
.globl _start
_start: ret
.section secret,"e",@progbits
.quad 1
.section .note.GNU-stack,"",@progbits
