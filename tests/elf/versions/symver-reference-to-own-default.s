// A reference to f@V1 is one to f@@V1 of the same output, and its visibility counts.
//# link: -shared main.o own.o --version-script=v.map
//# no-dynsym: section=UND
//# dynsym: f@@V1 vis=PROTECTED
//# no-reloc: symbol=f
.symver f, f@V1
.protected f
.globl call
.type call, @function
call:
  jmp f
.section .note.GNU-stack,"",@progbits
//# file: own.s
.globl f_one
.type f_one, @function
.symver f_one, f@@V1
f_one:
  ret
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { global: *; };
