// A weak symbol that nothing defines is at address zero, also by its distance from the GOT in a
// program that the loader moves.
//# link: -pie --no-dynamic-linker --section-start=.got.plt=0x5000
//# bytes: symbol(_start).value+2 = 00 b0 ff ff
.weak nowhere
.hidden nowhere
.globl _start
_start:
  lea nowhere@GOTOFF(%ebx), %eax
  mov nowhere@GOT(%ebx), %ecx
.section .note.GNU-stack,"",@progbits
