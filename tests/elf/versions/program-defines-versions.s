// A program has the versions that its exported symbols name; no script has to list them.
//# variant: pie: -pie -E main.o
//# variant: script: -pie -E main.o --version-script=v.map
//# variant: needed: main.o libb.so
//# file: main.s
//# shared: libb.so b.o --version-script=b.map
//# dynsym: foo@V1 value=symbol(f1).value
//# version: V1 kind=def
//# @pie,script dynsym: foo@@V2 value=symbol(f2).value
//# @pie,script version: V2 kind=def
//# @needed no-dynsym: foo@@V2
//# @needed no-version: V2
//# no-version: V3
//# peers: ld
.globl _start, f1, f2
.type f1, @function
.type f2, @function
.symver f1, foo@V1
.symver f2, foo@@V2
.hidden f3
.globl f3
.symver f3, foo@V3
_start: ret
f1: ret
f2: ret
f3: ret
.section .note.GNU-stack,"",@progbits
//# file: b.s
.globl b1
.symver b1, foo@V1
.type b1, @function
b1: ret
.section .note.GNU-stack,"",@progbits
//# file: b.map
V1 { global: foo; local: *; };
//# file: v.map
V1 { global: foo; };
