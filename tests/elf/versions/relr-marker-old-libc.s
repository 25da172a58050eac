// Packed relocations ask any glibc for the version by which new ones tell that they know them: an
// old one then says so, and does not run the program.
//# shared: libc.so.6 libc.o -soname libc.so.6 --version-script=v.map
//# variant: used: main.o libc.so.6
//# variant: other: main.o libd.so.6
//# shared: libd.so.6 libc.o -soname libd.so.6 --version-script=v.map
//# link: -pie -z pack-relative-relocs
//# version: GLIBC_2.2.5 kind=need
//# @used version: GLIBC_ABI_DT_RELR kind=need file=libc.so.6
//# @other no-version: GLIBC_ABI_DT_RELR
//# peers: ld
.include "machine.inc"
.globl _start
_start:
  calls f
  ret
.data
.dc.a _start
.section .note.GNU-stack,"",@progbits
//# file: libc.s
.globl f
.type f, @function
f: ret
.section .note.GNU-stack,"",@progbits
//# file: v.map
GLIBC_2.2.5 { global: f; local: *; };
