// Where .tbss is all that is written to, nothing is: no segment for it and nothing to protect.
//# link: -static
//# no-segment: LOAD flags=RW
//# no-segment: GNU_RELRO
//# segment: TLS memsz=8 filesz=0
//# symbol: _start
//# peers: ld
.globl _start
_start:
  mov %fs:x@tpoff, %eax
  ret
.section .tbss,"awT",@nobits
x: .zero 8
.section .note.GNU-stack,"",@progbits
