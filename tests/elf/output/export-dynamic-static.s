// -E asks for nothing in a program without libraries: there is no loader that would look.
//# link: -E
//# no-section: .dynsym
//# no-segment: DYNAMIC
//# symbol: _start
//# peers: ld lld
.globl _start, visible
_start: movl $60, %eax
visible: xorl %edi, %edi
syscall
.section .note.GNU-stack,"",@progbits
