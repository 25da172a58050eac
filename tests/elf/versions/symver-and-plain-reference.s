// f and f@V1 of one library are one symbol: one entry, one PLT slot, one copy of a variable.
//# shared: libl.so l.o --version-script=v.map
//# link: main.o libl.so
//# dynsym: f count=1
//# dynsym: d count=1
//# reloc: R_X86_64_JUMP_SLOT symbol=f count=1
//# reloc: R_X86_64_COPY symbol=d count=1
//# peers: ld
.symver f1, f@V1
.symver d1, d@V1
.globl _start
_start:
  call f
  call f1
  movl $d, %eax
  movl $d1, %eax
  ret
.section .note.GNU-stack,"",@progbits
//# file: l.s
.globl f_one, d_one
.type f_one, @function
.type d_one, @object
.size d_one, 8
.symver f_one, f@@V1
.symver d_one, d@@V1
f_one: ret
.data
d_one: .quad 1
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { global: f; d; local: *; };
