// Long options with one dash or two, values joined or apart.
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
