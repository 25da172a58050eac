// A reference that is protected is to a definition in the same output, as a hidden one is.
//# link: -shared
//# shared: libf.so f.o
//# variant: nowhere: main.o
//# variant: outside: main.o libf.so
//# expect-error: protected.* f|`f'
//# peers: ld lld
.globl g
.protected f
g: movq f@GOTPCREL(%rip), %rax
.section .note.GNU-stack,"",@progbits
//# file: f.s
.globl f
.type f, @function
f: ret
.section .note.GNU-stack,"",@progbits
