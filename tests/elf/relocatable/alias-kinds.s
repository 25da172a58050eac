// With -r, too, an alias has the type of what it is computed from, through other aliases and conditions.
//# variant: script: alias.ld
//# variant: options: --defsym=third=second --defsym=second=first --defsym=first=var --defsym=chosen=third
//# link: -r main.o
//# symbol: second type=TLS value=4 section=.tdata
//# symbol: third type=TLS value=4 section=.tdata
//# symbol: chosen type=TLS value=4
//# peers: ld
.section .tdata, "awT"
.globl var, other
.type var, @object
.type other, @object
other: .long 1
var: .long 2
.section .note.GNU-stack,"",@progbits
//# file: alias.ld
second = var;
third = second;
chosen = DEFINED(nobody) ? other : var;
