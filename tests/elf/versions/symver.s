// .symver gives a symbol a default version (@@) and a hidden one (@).
//# link: -shared --version-script=v.map
//# dynsym: f@V1 value=symbol(f_old).value
//# dynsym: f@@V2 value=symbol(f_new).value
//# no-dynsym: f_old
.globl f_old, f_new
.type f_old, @function
.type f_new, @function
.symver f_old, f@V1
.symver f_new, f@@V2
f_old: mov $1, %eax
  ret
f_new: mov $2, %eax
  ret
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { global: f; local: *; };
V2 { global: f; } V1;
