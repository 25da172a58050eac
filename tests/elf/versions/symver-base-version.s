// f@ is the base version, and hidden beside a default one: a reference that names none gets f@@V1.
//# link: -shared main.o --version-script=v.map
//# check: readelf -VW $OUT | grep -q '1h'
//# dynsym: f@@V1
//# peers: ld
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
