// The header of .rela.plt names the section that its relocations are for.
//# shared: libx.so x.o
//# link: main.o libx.so
//# section: .rela.plt flags=AI info=section(.got.plt).index link=section(.dynsym).index
//# peers: ld lld
.globl _start
_start: call function@PLT
.section .note.GNU-stack,"",@progbits
//# file: x.s
.globl function
.type function, @function
function: ret
.section .note.GNU-stack,"",@progbits
