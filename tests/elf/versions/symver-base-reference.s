// A reference to f@ means the base version, which a library may hide beside a default one. A library
// may leave it open.
//# shared: libv.so v.o --version-script=v.map
//# variant: program: main.o libv.so
//# variant: library: -shared main.o
//# dynsym: f section=UND version=
//# peers: ld
.symver f, f@
.globl _start
_start:
  call f@PLT
  ret
.section .note.GNU-stack,"",@progbits
//# file: v.s
.globl f_base, f_one
.type f_base, @function
.type f_one, @function
.symver f_base, f@
.symver f_one, f@@V1
f_base: mov $0, %eax
  ret
f_one: mov $1, %eax
  ret
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { global: f; local: f_base; f_one; };
