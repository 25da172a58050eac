// A reference to f@V1 takes the archive member that defines f@@V1.
//# archive: liba.a a.o
//# link: -shared main.o liba.a --version-script=v.map
//# dynsym: f@@V1
//# no-dynsym: section=UND
//# peers: ld
.include "machine.inc"
.symver f, f@V1
.globl call
call:
  calls f
  ret
.section .note.GNU-stack,"",@progbits
//# file: a.s
.globl f_one
.type f_one, @function
.symver f_one, f@@V1
f_one: ret
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { global: f; call; local: *; };
