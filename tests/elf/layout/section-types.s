// Unknown section types and flags are kept with their contents.
//# link: -static
//# section: .own.type type=0x6fff1234 flags=A size=8
//# section: nonalloc flags= address=0 size=5
//# contains: nonalloc hello
.globl _start
_start: ret
.section .own.type,"a",@0x6fff1234
.quad 1
.section nonalloc,"",@progbits
.ascii "hello"
.section .note.GNU-stack,"",@progbits
