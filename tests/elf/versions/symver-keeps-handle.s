// .symver f, f@V1 leaves the symbol f behind: no second definition beside g, which is f@@V2, and no
// export of its own. A call of h, which is h@V1, may be preempted as h@V1.
//# link: -shared main.o --version-script=v.map
//# dynsym: f@V1
//# dynsym: f@@V2 value=symbol(g).value
//# reloc: R_X86_64_JUMP_SLOT symbol=h
//# dynsym: h@V1
//# no-dynsym: h@@V2
//# peers: none
.globl f
.type f, @function
.symver f, f@V1
f: mov $1, %eax
  ret
.globl g
.type g, @function
.symver g, f@@V2
g: mov $2, %eax
  ret
.globl h
.type h, @function
.symver h, h@V1
h: mov $3, %eax
  ret
.globl call
.type call, @function
call:
  call h@PLT
  ret
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { global: call; local: g; };
V2 { global: h; };
