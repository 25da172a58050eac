// An object that wants an executable stack makes the joined object want one.
//# driver: ld
//# link: -r
//# section: .note.GNU-stack flags=X
//# peers: ld
.section .note.GNU-stack, "", @progbits
//# file: b.s
.section .note.GNU-stack, "x", @progbits
