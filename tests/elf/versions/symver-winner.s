// Of two default versions of one name, of which one is weak, the symbol has that of its definition.
//# driver: ld
//# variant: weak-first: -pie -E weak.o main.o
//# variant: weak-last: -pie -E main.o weak.o
//# dynsym: foo@@V1 bind=GLOBAL value=symbol(strong).value
//# @weak-first no-dynsym: foo@@V2
//# peers: ld
.globl strong, _start
.type strong, @function
.symver strong, foo@@V1
strong: nop
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: weak.s
.weak weak
.type weak, @function
.symver weak, foo@@V2
weak: ret
.section .note.GNU-stack,"",@progbits
