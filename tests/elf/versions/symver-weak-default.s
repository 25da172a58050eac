// f@V1 and f@@V1 are one symbol, so a strong definition of the one wins over a weak one of the other.
//# variant: before: strong.o main.o
//# variant: behind: main.o strong.o
//# link: -shared --version-script=v.map
//# dynsym: f@@V1 bind=GLOBAL value=symbol(f_strong).value
//# no-dynsym: f@V1
//# file: main.s
.weak f_weak
.type f_weak, @function
.symver f_weak, f@@V1
f_weak: mov $1, %eax
  ret
.section .note.GNU-stack,"",@progbits
//# file: strong.s
.globl f_strong
.type f_strong, @function
.symver f_strong, f@V1
f_strong: mov $2, %eax
  ret
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { global: f; local: *; };
