// The bounds of the image are in the symbol table even if nothing refers to them.
//# peers: none
//# symbol: _end bind=LOCAL
//# symbol: _edata bind=LOCAL
//# symbol: _etext bind=LOCAL value=section(.text).address+1
//# symbol: __bss_start
.globl _start
_start: ret
.data
.quad 1
.section .note.GNU-stack,"",@progbits
