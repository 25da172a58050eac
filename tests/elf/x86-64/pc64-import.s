// A distance of 64 bits to what another module defines is one that the loader can write.
//# shared: libx.so x.o
//# lint-except: relocated-code asked for
//# variant: data: -shared data.o
//# variant: data-library: -shared data.o libx.so
//# variant: text: -shared -z notext text.o
//# link:
//# reloc: R_X86_64_PC64 symbol=x addend=4
//# @text dynamic: TEXTREL
//# @text peers: ld lld
//# file: data.s
.data
.globl word
word: .quad x + 4 - .
.section .note.GNU-stack,"",@progbits
//# file: text.s
.globl word
word: .quad x + 4 - .
.section .note.GNU-stack,"",@progbits
//# file: x.s
.data
.globl x
.type x, @object
.size x, 8
x: .quad 0
.section .note.GNU-stack,"",@progbits
