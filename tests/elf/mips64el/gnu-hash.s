# The order of .dynsym is that of the GOT, so the output has .hash whatever --hash-style says.
//# driver: ld
//# link: -shared --hash-style=gnu
//# section: .hash
//# no-section: .gnu.hash
.globl f
f: jr $31
