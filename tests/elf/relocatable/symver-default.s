// -r keeps the default version that .symver makes of a symbol beside the symbol itself, and what it
// joins may be linked.
//# relocatable: r.o main.o
//# link: -shared r.o --version-script=v.map
//# dynsym: f@@V2
//# dynsym: g@V1
//# peers: lld
.include "machine.inc"
.globl f
.type f, @function
.symver f, f@@V2
f: ret
.globl g
.type g, @function
.symver g, g@V1
g: ret
.globl call
call:
  calls f
  ret
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { };
V2 { global: call; f; local: *; };
