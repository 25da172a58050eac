// What a library defines has no address in the output that an assignment could take.
//# variant: function: --defsym=x=f
//# variant: variable: --defsym=x=v -pie
//# variant: shared: --defsym=x=f+1 -shared
//# shared: lib.so lib.o
//# link: lib.so
//# expect-error: (symbol not found|undefined symbol|unresolvable symbol)
.globl _start
_start: nop
.section .note.GNU-stack,"",@progbits
//# file: lib.s
.globl f, v
.type f, @function
f: ret
.data
.type v, @object
v: .quad 1
.size v, 8
.section .note.GNU-stack,"",@progbits
