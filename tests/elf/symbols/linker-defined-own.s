// A program's own definition of such a name is used.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# link: -static
//# symbol: end value=symbol(_start).value+1 section=.text
.globl _start, end
_start: nop
end: .quad end
.section .note.GNU-stack,"",@progbits
