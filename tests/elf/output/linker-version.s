// The linker's name is in .comment beside the compilers', once.
//# variant: default:
//# variant: on: --disable-linker-version --enable-linker-version
//# variant: off: --disable-linker-version
//# link: -static
//# contains: .comment "a compiler" count=1
//# @default,on contains: .comment "Linker: skald " count=1
//# @off no-contains: .comment skald
//# peers:
.globl _start
_start: nop
.section .comment,"MS",@progbits,1
.asciz "a compiler"
.section .note.GNU-stack,"",@progbits
