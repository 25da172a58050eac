// What marks the image's first byte belongs to a section: an absolute symbol would stay where it is
// when the loader moves the image.
//# link: -pie --dynamic-linker=/lib64/ld-linux-x86-64.so.2 --export-dynamic
//# symbol: __ehdr_start value=0 section!=ABS
//# symbol: __executable_start value=0 section!=ABS
//# peers:
.globl _start
_start:
  lea __ehdr_start(%rip), %rax
  lea __executable_start(%rip), %rax
  ret
.section .note.GNU-stack,"",@progbits
