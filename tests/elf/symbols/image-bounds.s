// The bounds of the image are in the symbol table where something refers to them, and _DYNAMIC where
// there is a dynamic section.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# variant: static: -static
//# variant: shared: -shared
//# no-symbol: _end
//# no-symbol: end
//# no-symbol: _edata
//# no-symbol: __bss_start
//# symbol: _etext value=section(.text).address+9
//# @static no-symbol: _DYNAMIC
//# @shared symbol: _DYNAMIC bind=LOCAL value=section(.dynamic).address section=.dynamic
//# @shared no-dynsym: _DYNAMIC
//# peers: lld
.globl _start
_start: ret
.hidden _etext
.quad _etext - .
.data
.quad 1
.section .note.GNU-stack,"",@progbits
