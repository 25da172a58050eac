// Offsets from the thread pointer: the segment ends at it, rounded up to its alignment.
//# link: -static
//# word32: symbol(_start).value+4 = -64
//# word32: symbol(second).value+4 = -32
//# segment: TLS align=32
.globl _start, second
_start:
  mov %fs:(0), %eax
  .reloc _start+4, R_X86_64_TPOFF32, a
second:
  mov %fs:(0), %eax
  .reloc second+4, R_X86_64_TPOFF32, b
.section .tdata,"awT",@progbits
.balign 32
a: .long 1
.section .tbss,"awT",@nobits
.balign 32
b: .long 0
.section .note.GNU-stack,"",@progbits
