// An import that is referenced weakly is weak in .symtab as in .dynsym, though its library defines it
// as a strong symbol.
//# shared: libx.so x.o
//# link: main.o libx.so -pie
//# symbol: weak bind=WEAK section=UND
//# dynsym: weak bind=WEAK section=UND
//# symbol: strong bind=GLOBAL section=UND
.globl _start
.weak weak
_start:
  mov weak@GOTPCREL(%rip), %rax
  mov strong@GOTPCREL(%rip), %rax
.section .note.GNU-stack,"",@progbits
//# file: x.s
.globl weak, strong
weak: ret
strong: ret
.section .note.GNU-stack,"",@progbits
