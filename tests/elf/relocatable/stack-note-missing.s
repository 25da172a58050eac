// What one object does not say of the stack, the joined object does not say either.
//# driver: ld
//# link: -r
//# no-section: .note.GNU-stack
//# peers:
.section .note.GNU-stack, "", @progbits
//# file: b.s
.globl f
f: ret
