// An assignment of a symbol to itself leaves it as it is; what was assigned to it before counts for
// the next assignment.
//# @if-defined,same machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# variant: same: --defsym=f=f
//# variant: if-defined: --defsym=f=DEFINED(f)?f:0x10
//# variant: default: --defsym=x=DEFINED(x)?x:0x10 -pie
//# variant: twice: --defsym=x=4 --defsym=x=x+0x10
//# variant: twice-asked: --defsym=x=4 --defsym=x=DEFINED(x)?x+1:0x10
//# link: -static
//# peers: ld
//# @same,if-defined symbol: f type=FUNC section=.text value=section(.text).address+1 size=2
//# @default symbol: x value=0x10 section=ABS
//# @twice symbol: x value=0x14 section=ABS
//# @twice-asked symbol: x value=5 section=ABS
.globl _start, f
_start: nop
.type f, @function
f: nop
ret
.size f, .-f
.section .note.GNU-stack,"",@progbits
