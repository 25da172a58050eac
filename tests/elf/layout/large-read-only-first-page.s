// The interpreter's name and notes are in the first page, whatever large read-only data there is.
//# link: -pie --dynamic-linker=/lib64/ld-linux-x86-64.so.2 --build-id=0x01020304
//# section: .interp offset<4096
//# section: .note.gnu.build-id offset<4096
//# section: .lrodata
.globl _start
_start: ret
.section .lrodata,"al",@progbits
.zero 100000
.section .note.GNU-stack,"",@progbits
