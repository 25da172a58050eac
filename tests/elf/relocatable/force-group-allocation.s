// --force-group-allocation dissolves section groups in -r.
//# machines: x86-64 i386 x32 `ret` has one byte, and code may begin anywhere
//# variant: kept:
//# variant: dissolved: --force-group-allocation
//# link: -r
//# @kept section: type=GROUP
//# @dissolved no-section: type=GROUP
//# section: .text.f size=1
//# peers: lld
.section .text.f,"axG",@progbits,f,comdat
.globl f
f: ret
.section .note.GNU-stack,"",@progbits
