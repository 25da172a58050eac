// A variable without a size cannot be copied: there is no telling how much of it.
//# shared: libx.so lib.o
//# variant: absolute: main.o libx.so
//# variant: relative: main.o libx.so -pie --dynamic-linker=/nothing
//# link:
//# expect-error: cannot create a copy relocation for symbol '?empty
//# peers: lld
.globl _start
_start: mov empty(%rip), %eax
.section .note.GNU-stack,"",@progbits
//# file: lib.s
.data
.globl empty
.type empty, @object
empty: .long 1
.section .note.GNU-stack,"",@progbits
