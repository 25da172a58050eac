// Long options with one dash or two, values joined or apart.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 dynamic symbols have the order that .gnu.hash needs
//# variant: two: --shared --soname=libx.so --hash-style=gnu
//# variant: one: -shared -soname libx.so -hash-style=gnu
//# variant: apart: --shared --soname libx.so --hash-style gnu
//# variant: short: -shared -hlibx.so --hash-style=gnu
//# variant: bshareable: -Bshareable -h libx.so --hash-style=gnu
//# dynamic: SONAME libx.so
//# section: .gnu.hash
//# no-section: .hash
.globl f
f: ret
.section .note.GNU-stack,"",@progbits
