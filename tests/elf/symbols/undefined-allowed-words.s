// A name that the linker alone must fill in somewhere is zero everywhere: no word of it is left to the loader,
// with a relocation of no symbol.
//# link: main.o -pie -e 0 --unresolved-symbols=ignore-all
//# no-reloc: R_X86_64_64
//# peers:
.text
lea bar(%rip), %rax
.data
.quad bar
.quad bar + 8
.section .note.GNU-stack,"",@progbits
