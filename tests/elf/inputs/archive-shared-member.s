// A shared object in an archive is skipped, and what it would define comes from elsewhere.
//# shared: libinner.so f.o
//# archive: liba.a libinner.so
//# archive: libb.a f.o
//# archive: no-index libc.a libinner.so f.o
//# variant: other: main.o liba.a libb.a
//# variant: no-index: main.o libc.a
//# warning: libinner\.so
//# symbol: f section=.text
//# no-dynamic: NEEDED
//# peers: lld
.globl _start
_start: call f
movl $60, %eax
syscall
.section .note.GNU-stack,"",@progbits
//# file: f.s
.globl f
.type f, @function
f: xorl %edi, %edi
ret
.section .note.GNU-stack,"",@progbits
