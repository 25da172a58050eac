// --warn-once: an undefined symbol is told of once, not once a reference.
//# link: -static --warn-once --warn-unresolved-symbols
//# peers: ld
//# warning: nope
//# no-warning: (?s)undefined (symbol|reference)[^\n]*nope.*undefined (symbol|reference)[^\n]*nope
.include "machine.inc"
.globl _start
_start:
calls nope
calls nope
calls nope
.section .note.GNU-stack,"",@progbits
