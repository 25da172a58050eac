// A symbol that an option makes is global in both tables, whatever refers to it.
//# link: -shared --defsym=x=f --defsym=y=0x10
//# symbol: x bind=GLOBAL
//# symbol: y bind=GLOBAL
//# dynsym: x bind=GLOBAL
//# dynsym: y bind=GLOBAL
.globl f
.type f, @function
f: mov y@GOTPCREL(%rip), %rax
ret
.weak y
.section .note.GNU-stack,"",@progbits
