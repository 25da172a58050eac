# A symbol that only the dropped copy of a group defines is undefined, and in a shared object weakly
# so: another library may have it.
//# link: -shared main.o b.o
//# dynsym: extra bind=WEAK section=UND
//# reloc: R_X86_64_64 symbol=extra
.section .text.f,"axG",@progbits,f,comdat
.weak f
f: ret
//# file: b.s
.section .text.f,"axG",@progbits,f,comdat
.weak f
.weak extra
f: ret
extra: ret
.data
.quad extra
