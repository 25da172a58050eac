// A unique symbol is bound by the loader even in a library that binds its symbols itself.
//# variant: all: -Bsymbolic
//# variant: list: --dynamic-list=list
//# link: -shared
//# reloc: R_X86_64_GLOB_DAT symbol=unique
//# no-reloc: R_X86_64_GLOB_DAT symbol=other
//# header: osabi=3
//# peers: ld
.globl f
f: movq unique@GOTPCREL(%rip), %rax
movq other@GOTPCREL(%rip), %rax
.data
.globl unique, other
.type unique, @gnu_unique_object
.size unique, 4
unique: .long 1
other: .long 2
.section .note.GNU-stack,"",@progbits
//# file: list
{ f; };
