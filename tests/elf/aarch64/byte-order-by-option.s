// -EB and -EL choose the byte order of the machine that -m names.
//# compile: -mbig-endian
//# link: -EB -m aarch64linux -static
//# peers: ld
//# bytes: section(.data).address = 12 34 56 78
.globl _start
_start: ret
.data
.word 0x12345678
.section .note.GNU-stack,"",@progbits
