// The header of .rela.plt names the section that its relocations are for.
//# machines: x86-64 aarch64 x32 relocations have addends in their table
//# shared: libx.so x.o
//# link: main.o libx.so
//# section: .rela.plt flags=AI info=section(.got.plt).index link=section(.dynsym).index
//# peers: ld lld
.include "machine.inc"
.globl _start
_start: calls function
.section .note.GNU-stack,"",@progbits
//# file: x.s
.globl function
.type function, @function
function: ret
.section .note.GNU-stack,"",@progbits
