// Strings of wide characters are merged by their character size.
//# link: -static
//# word: symbol(place).value = symbol(b).value
//# section: .rodata size=20
.globl _start
_start: ret
.data
place: .dc.a a
.section .rodata.str4.4,"aMS",@progbits,4
.balign 4
a: .long 'x', 'y', 0
.section .note.GNU-stack,"",@progbits
//# file: b.s
.section .rodata.str4.4,"aMS",@progbits,4
.balign 4
.long 'z', 0
.globl b
b: .long 'x', 'y', 0
.section .note.GNU-stack,"",@progbits
