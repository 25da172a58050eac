// Program headers are in memory, and PT_PHDR says where.
//# link: -pie -dynamic-linker /lib64/ld-linux-x86-64.so.2
//# segment: PHDR offset=64 address=segment(LOAD).address+64
//# segment: INTERP
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
