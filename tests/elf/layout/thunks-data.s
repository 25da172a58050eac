// What is not a branch has no thunk: a distance that does not fit stays an error.
//# link: -static --section-start=.far=0x2000000000
//# expect-error: relocation R_X86_64_PC32 out of range
//# peers: lld
.globl _start
_start:
  lea value(%rip), %rax
.section .far,"ax"
value:
  nop
.section .note.GNU-stack,"",@progbits
