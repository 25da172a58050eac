// What the linker writes to .comment comes from no object that could lack a property.
//# machines: x86-64 notes are aligned to eight bytes
//# machines: x86-64 i386 x32 properties of x86
//# link: -static
//# section: .note.gnu.property
//# note: GNU type=5
//# contains: .comment "Linker: "
//# peers: lld
.globl _start
_start: ret
.section .note.gnu.property,"a",@note
.p2align 3
.long 4, 16, 5
.asciz "GNU"
.long 0xc0000002, 4, 3, 0
.section .note.GNU-stack,"",@progbits
