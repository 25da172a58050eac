// Merge sections with different flags or entry sizes are not mixed.
//# link: -static
//# contains: .rodata "ab" count=1
//# word: symbol(place).value = symbol(b).value
.globl _start
_start: ret
.data
place: .dc.a b
.section .rodata.str1.1,"aMS",@progbits,1
.string "ab"
.section .rodata.cst4,"aM",@progbits,4
.globl b
b: .long 0x00626200
.section .note.GNU-stack,"",@progbits
