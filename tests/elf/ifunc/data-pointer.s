// A pointer to an IFUNC in data of a PIE, not otherwise used, is an IRELATIVE itself.
//# peers: ld
//# link: -static -pie --no-dynamic-linker
//# header: osabi=3
//# reloc: R_X86_64_IRELATIVE place=symbol(pointer).value addend=symbol(f).value count=1
.globl _start, f
.type f, @gnu_indirect_function
f: ret
_start: ret
.data
pointer: .quad f
.section .note.GNU-stack,"",@progbits
