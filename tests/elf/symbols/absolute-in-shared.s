// An absolute symbol is exported as such.
//# link: -shared
//# dynsym: constant section=ABS value=0x42
.globl constant
constant = 0x42
.section .note.GNU-stack,"",@progbits
