// A program's own definition of such a name is used.
//# link: -static
//# symbol: end value=symbol(_start).value+1 section=.text
.globl _start, end
_start: nop
end: .quad end
.section .note.GNU-stack,"",@progbits
