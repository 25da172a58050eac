// .symver to a version that no script defines is an error.
//# link: -shared
//# expect-error: V9
.globl f
.symver f, f@@V9
f: ret
.section .note.GNU-stack,"",@progbits
