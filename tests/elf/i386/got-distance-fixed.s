// The distance of a fixed address from the GOT is unknown in a program that the loader moves.
//# link: -pie fixed.o
//# expect-error: relocation R_386_GOTOFF cannot refer to absolute symbol
.globl _start
_start:
  lea fixed@GOTOFF(%ebx), %eax
.section .note.GNU-stack,"",@progbits
//# file: fixed.s
.globl fixed
fixed = 0x1000
