# Relocations of one place are composed (gABI, "Relocation"): the field ends as the sum of its content
# and of all values.
//# driver: ld
//# link: main.o values.o --section-start=.data=0x500
//# peers: ld lld
//# word32: 0x500 = 0xc23
.globl _start
_start: ret
.data
word: .long 3
.reloc word, R_386_32, x
.reloc word, R_386_32, y
.reloc word, R_386_PC32, z
.section .note.GNU-stack,"",@progbits
//# file: values.s
.globl x, y, z
.set x, 0x100
.set y, 0x20
.set z, 0x1000
.section .note.GNU-stack,"",@progbits
