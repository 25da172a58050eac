// Two definitions of a symbol are an error, also if an option assigns it.
//# link: -static --defsym=f=0x1234 other.o
//# expect-error: (duplicate symbol|multiple definition).*f
.globl _start, f
_start: nop
f: ret
.section .note.GNU-stack,"",@progbits
//# file: other.s
.globl f
nop
f: ret
.section .note.GNU-stack,"",@progbits
