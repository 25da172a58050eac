// --enable-linker-version writes the linker's name to .comment.
//# variant: default:
//# variant: on: --enable-linker-version
//# variant: off: --enable-linker-version --disable-linker-version
//# link: -static
//# @on contains: .comment skald-
//# @default,off no-contains: .comment skald-
//# peers:
.globl _start
_start: nop
.section .comment,"MS",@progbits,1
.asciz "a compiler"
.section .note.GNU-stack,"",@progbits
