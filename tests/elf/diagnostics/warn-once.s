// --warn-once: an undefined symbol is told of once, not once a reference.
//# link: -static --warn-once --warn-unresolved-symbols
//# peers: ld
//# warning: nope
//# no-warning: (?s)undefined (symbol|reference)[^\n]*nope.*undefined (symbol|reference)[^\n]*nope
.globl _start
_start:
call nope
call nope
call nope
.section .note.GNU-stack,"",@progbits
