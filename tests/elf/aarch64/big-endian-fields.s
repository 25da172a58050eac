// Addends that --apply-dynamic-relocs writes at the places of dynamic relocations have the byte order of
// the file.
//# compile: -mbig-endian
//# link: -m aarch64linuxb -pie --apply-dynamic-relocs
//# reloc: R_AARCH64_RELATIVE place=section(.data).address addend=section(.data).address+8
//# word64: section(.data).address = section(.data).address+8
//# peers: lld
.globl _start
_start: ret
.data
.xword target
target: .xword 1
.section .note.GNU-stack,"",@progbits
