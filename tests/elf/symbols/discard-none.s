// --discard-none keeps the .L symbols of mergeable sections too; by default only those go, -X drops
// all .L symbols and -x all local ones.
//# compile: -Wa,-L
//# variant: none: -static --discard-none
//# variant: default: -static
//# variant: locals: -static -X
//# variant: all: -static -x
//# variant: last: -static -x --discard-none
//# @none,last symbol: .Lmerged
//# @default,locals,all no-symbol: .Lmerged
//# @none,default,last symbol: .Lcode
//# @locals,all no-symbol: .Lcode
//# @none,default,locals,last symbol: named
//# @all no-symbol: named
.globl _start
_start: lea .Lmerged(%rip), %rax
named: ret
.Lcode: ret
.section .rodata.s,"aMS",@progbits,1
.Lmerged: .asciz "text"
.section .note.GNU-stack,"",@progbits
