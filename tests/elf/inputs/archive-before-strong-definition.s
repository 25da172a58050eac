// A member that defines strongly what an object behind its archive defines strongly too is not taken.
// GNU ld and lld take it and report a duplicate.
//# archive: libx.a member.o
//# link: main.o libx.a strong.o
//# symbol: foo value=symbol(strong).value
//# no-symbol: member
//# peers:
.globl _start
_start: .dc.a foo
.section .note.GNU-stack,"",@progbits
//# file: member.s
.globl foo, member
foo: member: .quad 1
.section .note.GNU-stack,"",@progbits
//# file: strong.s
.globl foo, strong
foo: strong: .quad 2
.section .note.GNU-stack,"",@progbits
