// A library that only exports a function with a resolver is for GNU loaders.
//# link: -shared
//# dynsym: f type=GNU_IFUNC
//# header: osabi=3
//# peers: ld lld
.globl f
.type f, @gnu_indirect_function
f: leaq g(%rip), %rax
ret
g: ret
.section .note.GNU-stack,"",@progbits
