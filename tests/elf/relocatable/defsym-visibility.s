// An assigned symbol has the visibility that references and replaced definitions give the name.
//# link: -r --defsym=foo=0x500 --defsym=bar=get+4 --defsym=plain=1
//# symbol: foo value=0x500 vis=HIDDEN bind=GLOBAL
//# symbol: bar vis=PROTECTED bind=GLOBAL
//# symbol: plain vis=DEFAULT bind=GLOBAL
//# peers: ld lld
.globl get
.hidden foo
get: mov foo@GOTPCREL(%rip), %rax
ret
.data
.globl bar
.protected bar
bar: .quad 1
.section .note.GNU-stack,"",@progbits
